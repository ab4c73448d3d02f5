//! The plan for readers and for programs.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use dsh_declare::model::Position;
use serde::Serialize;

use super::model::{Heard, Plan, PlannedRow, Supply};

/// What `dsh-build plan` shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Profile name.
    pub profile: String,
    /// Other names of the binary.
    pub aliases: Vec<String>,
    /// Composition digest.
    pub digest: String,
    /// Rows in mount order.
    pub rows: Vec<Row>,
    /// Events of the composition.
    pub events: Vec<Event>,
    /// Tools in row order.
    pub tools: Vec<Tool>,
    /// The row that serves a protocol.
    pub serve: Option<String>,
    /// Verbs of the binary.
    pub verbs: Vec<Verb>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Row id.
    pub id: String,
    /// Plugin name.
    pub plugin: String,
    /// File that inserted it.
    pub file: String,
    /// Place in the composition, from 0.
    pub place: usize,
    /// What it provides, and to whom.
    pub provides: Vec<Provided>,
    /// What it takes, and from whom.
    pub takes: Vec<Taken>,
}

/// A provided service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Provided {
    /// Service key.
    pub service: String,
    /// Rows that take it, in mount order.
    pub to: Vec<String>,
}

/// A taken service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// Service key.
    pub service: String,
    /// The row that provides it; `None` where an optional service has no provider.
    pub from: Option<String>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Its type, as `package::Type`.
    pub id: String,
    /// Rows that dispatch it.
    pub dispatchers: Vec<String>,
    /// Rows that hear it, in the order in which they run.
    pub listeners: Vec<Listener>,
}

/// A listener.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listener {
    /// Row id.
    pub row: String,
    /// `first`, `row` or `last`.
    pub position: &'static str,
}

/// A tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Name that the model uses.
    pub name: String,
    /// The row that has it.
    pub row: String,
    /// The row of the registry.
    pub registry: String,
}

/// A verb.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verb {
    /// The word.
    pub verb: String,
    /// One-line help.
    pub about: String,
    /// The row that has it.
    pub row: String,
}

impl Report {
    /// Of a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let event = |topic: &super::PlannedTopic| Event {
            name: topic.name.clone(),
            id: topic.event.to_string(),
            dispatchers: topic.dispatchers.clone(),
            listeners: topic.listeners.iter().map(Listener::new).collect(),
        };
        let tools = plan.contributions.iter().flat_map(|contribution| {
            let tool = |name: &String| Tool { name: name.clone(), row: contribution.row.clone(), registry: contribution.registry.clone() };
            contribution.tools.iter().map(tool)
        });
        let verbs = plan.verbs.iter().flat_map(|entry| {
            let verb = |(verb, about): &(String, String)| Verb { verb: verb.clone(), about: about.clone(), row: entry.row.clone() };
            entry.words.iter().map(verb)
        });
        Self {
            profile: plan.profile.clone(),
            aliases: plan.aliases.clone(),
            digest: plan.digest.clone(),
            rows: plan.rows.iter().map(|planned| row(plan, planned)).collect(),
            events: plan.topics.iter().map(event).collect(),
            tools: tools.collect(),
            serve: plan.serve.clone(),
            verbs: verbs.collect(),
        }
    }
}

fn row(plan: &Plan, row: &PlannedRow) -> Row {
    let key = |id: &str| plan.service_keys.get(id).cloned().unwrap_or_else(|| id.to_owned());
    let takers = |id: &str| {
        let takes = |taker: &&PlannedRow| {
            let from_here = |supply: &Supply| matches!(supply, Supply::Service { service, row: from, .. } if *from == row.id && service.to_string() == id);
            taker.injects.iter().any(|injected| from_here(&injected.supply))
        };
        plan.rows.iter().filter(takes).map(|taker| taker.id.clone()).collect()
    };
    let taken = |supply: &Supply| match supply {
        Supply::Service { service, row, .. } => Some(Taken { service: key(&service.to_string()), from: Some(row.clone()) }),
        Supply::Absent(service) => Some(Taken { service: key(&service.to_string()), from: None }),
        Supply::Dispatcher(_) => None,
    };
    Row {
        id: row.id.clone(),
        plugin: row.plugin.clone(),
        file: row.file.clone(),
        place: row.place,
        provides: plan.plugins[&row.plugin].provides.iter().map(|id| Provided { service: key(id), to: takers(id) }).collect(),
        takes: row.injects.iter().filter_map(|injected| taken(&injected.supply)).collect(),
    }
}

fn word(position: Position) -> &'static str {
    match position {
        Position::First => "first",
        Position::Row => "row",
        Position::Last => "last",
    }
}

impl Listener {
    /// Of a planned listener.
    #[must_use]
    pub fn new(heard: &Heard) -> Self {
        Self { row: heard.row.clone(), position: word(heard.position) }
    }
}

/// For readers: what a listener that stands in row order asks for is not told.
impl Display for Listener {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = if self.position == "row" { String::new() } else { format!(" (asks to be {})", self.position) };
        write!(out, "{}{position}", self.row)
    }
}

impl Event {
    fn dispatched_by(&self) -> String {
        if self.dispatchers.is_empty() { "no row".to_owned() } else { self.dispatchers.join(", ") }
    }
}

/// For readers, with a line break at the end.
impl Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "profile {}, composition {}", self.profile, self.digest)?;
        if !self.aliases.is_empty() {
            writeln!(out, "also called {}", self.aliases.join(", "))?;
        }
        writeln!(out, "\nmount order:")?;
        for (at, row) in self.rows.iter().enumerate() {
            let plugin = if row.plugin == row.id { String::new() } else { format!(", plugin {}", row.plugin) };
            writeln!(out, "{:3}. {}{plugin} ({})", at + 1, row.id, row.file)?;
            for provided in &row.provides {
                let to = if provided.to.is_empty() { "no row".to_owned() } else { provided.to.join(", ") };
                writeln!(out, "       provides {} to {to}", provided.service)?;
            }
            for taken in &row.takes {
                let from = taken.from.as_deref().unwrap_or("no row (optional)");
                writeln!(out, "       takes {} from {from}", taken.service)?;
            }
            for tool in self.tools.iter().filter(|tool| tool.row == row.id) {
                writeln!(out, "       registers {} with {}", tool.name, tool.registry)?;
            }
        }
        self.events(out)?;
        self.ways_in(out)
    }
}

impl Report {
    fn events(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (heard, unheard): (Vec<&Event>, Vec<&Event>) = self.events.iter().partition(|event| !event.listeners.is_empty());
        if !heard.is_empty() {
            writeln!(out, "\nevents, with listeners in the order in which they run:")?;
        }
        for event in heard {
            writeln!(out, "  {}, dispatched by {}", event.name, event.dispatched_by())?;
            for (at, listener) in event.listeners.iter().enumerate() {
                writeln!(out, "{:5}. {listener}", at + 1)?;
            }
        }
        let mut by_dispatcher: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for event in unheard {
            by_dispatcher.entry(event.dispatched_by()).or_default().push(&event.name);
        }
        if !by_dispatcher.is_empty() {
            writeln!(out, "\nevents that no row hears, by the rows that dispatch them:")?;
        }
        for (rows, events) in by_dispatcher {
            writeln!(out, "  {rows}: {}", events.join(", "))?;
        }
        Ok(())
    }

    fn ways_in(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.tools.is_empty() {
            writeln!(out, "\ntools:")?;
        }
        for tool in &self.tools {
            writeln!(out, "  {}, of {}", tool.name, tool.row)?;
        }
        if self.serve.is_some() || !self.verbs.is_empty() {
            writeln!(out, "\nways in:")?;
        }
        if let Some(row) = &self.serve {
            writeln!(out, "  a protocol on standard input and output, served by {row}")?;
        }
        for verb in &self.verbs {
            writeln!(out, "  {}, of {}: {}", verb.verb, verb.row, verb.about)?;
        }
        Ok(())
    }
}
