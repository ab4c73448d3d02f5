//! The plan for readers and for programs.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use dsh_declare::model::Position;
use serde::Serialize;

use super::model::{Heard, OffWhen, Plan, PlannedPreset, PlannedRow, Supply};

/// What `dsh-build plan` shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Profile name.
    pub profile: String,
    /// Other names of the binary.
    pub aliases: Vec<String>,
    /// Composition digest.
    pub digest: String,
    /// Whether the binary takes no overlay.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// Variables that expressions see as they are given here; an empty value stands for one that is not set.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
    /// The composition's rows in mount order.
    pub rows: Vec<Row>,
    /// Presets, whose rows mount when an agent first selects them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub presets: Vec<Preset>,
    /// Events of the composition.
    pub events: Vec<Event>,
    /// Tools in row order.
    pub tools: Vec<Tool>,
    /// The rows that serve a protocol; where there are several, conditions decide.
    pub serve: Vec<String>,
    /// Verbs of the binary.
    pub verbs: Vec<Verb>,
}

/// A preset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preset {
    /// Its name.
    pub name: String,
    /// Its rows in mount order.
    pub rows: Vec<Row>,
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
    /// The group around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Conditions under which it is off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub off_when: Vec<OffWhen>,
}

/// A provided service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Provided {
    /// Service key.
    pub service: String,
    /// The group that is a realm of its own for the service; none for the outermost realm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realm: Option<String>,
    /// Rows that take it, in mount order.
    pub to: Vec<String>,
}

/// A taken service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// Service key.
    pub service: String,
    /// The rows that may provide it, of which the first that mounts does; none where an optional service has no provider.
    pub from: Vec<String>,
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
    /// The rows that may be the registry, of which the first that mounts is.
    pub registries: Vec<String>,
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
        let tools = plan.all_contributions().flat_map(|contribution| {
            let registries = &contribution.registries;
            let tool = |name: &String| Tool { name: name.clone(), row: contribution.row.clone(), registries: registries.clone() };
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
            sealed: plan.is_sealed,
            set: plan.surroundings.set.clone(),
            rows: plan.rows.iter().map(|planned| row(plan, planned)).collect(),
            presets: plan.presets.iter().map(|preset| Preset::new(plan, preset)).collect(),
            events: plan.topics.iter().map(event).collect(),
            tools: tools.collect(),
            serve: plan.serve.clone(),
            verbs: verbs.collect(),
        }
    }
}

impl Preset {
    fn new(plan: &Plan, preset: &PlannedPreset) -> Self {
        Self { name: preset.name.clone(), rows: preset.rows.iter().map(|planned| row(plan, planned)).collect() }
    }
}

fn row(plan: &Plan, row: &PlannedRow) -> Row {
    let key = |id: &str| plan.service_keys.get(id).cloned().unwrap_or_else(|| id.to_owned());
    let takers = |id: &str| {
        let takes = |taker: &&PlannedRow| {
            let from_here = |supply: &Supply| matches!(supply, Supply::Service { service, rows, .. } if rows.contains(&row.id) && service.to_string() == id);
            taker.injects.iter().any(|injected| from_here(&injected.supply))
        };
        plan.all_rows().filter(takes).map(|taker| taker.id.clone()).collect()
    };
    let provided = |id: &str| {
        let service = key(id);
        let realm = plan.groups_around(row).filter(|group| group.isolates.contains(&service)).last().map(|group| group.id.clone());
        Provided { service, realm, to: takers(id) }
    };
    let taken = |supply: &Supply| match supply {
        Supply::Service { service, rows, .. } => Some(Taken { service: key(&service.to_string()), from: rows.clone() }),
        Supply::Absent(service) => Some(Taken { service: key(&service.to_string()), from: Vec::new() }),
        Supply::Dispatcher(_) => None,
    };
    Row {
        id: row.id.clone(),
        plugin: row.plugin.clone(),
        file: row.file.clone(),
        place: row.place,
        provides: plan.plugins[&row.plugin].provides.iter().map(|id| provided(id)).collect(),
        group: row.groups.last().cloned(),
        off_when: plan.off_when(row),
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
        if self.sealed {
            writeln!(out, "sealed: takes no overlay")?;
        }
        for (name, value) in &self.set {
            writeln!(out, "env.{name} set to {value:?}")?;
        }
        writeln!(out, "\nmount order:")?;
        self.rows(out, &self.rows)?;
        for preset in &self.presets {
            writeln!(out, "\npreset {}, mounted when an agent first selects it:", preset.name)?;
            self.rows(out, &preset.rows)?;
        }
        self.events(out)?;
        self.ways_in(out)
    }
}

impl Report {
    fn rows(&self, out: &mut fmt::Formatter<'_>, rows: &[Row]) -> fmt::Result {
        for (at, row) in rows.iter().enumerate() {
            let plugin = if row.plugin == row.id { String::new() } else { format!(", plugin {}", row.plugin) };
            let group = row.group.as_ref().map(|group| format!(", in group {group}")).unwrap_or_default();
            writeln!(out, "{:3}. {}{plugin}{group} ({})", at + 1, row.id, row.file)?;
            for condition in &row.off_when {
                writeln!(out, "       {condition}")?;
            }
            for provided in &row.provides {
                let to = if provided.to.is_empty() { "no row".to_owned() } else { provided.to.join(", ") };
                let realm = provided.realm.as_ref().map(|group| format!(", in the realm of group {group},")).unwrap_or_default();
                writeln!(out, "       provides {}{realm} to {to}", provided.service)?;
            }
            for taken in &row.takes {
                let from = if taken.from.is_empty() { "no row (optional)".to_owned() } else { taken.from.join(" or ") };
                writeln!(out, "       takes {} from {from}", taken.service)?;
            }
            for tool in self.tools.iter().filter(|tool| tool.row == row.id) {
                writeln!(out, "       registers {} with {}", tool.name, tool.registries.join(" or "))?;
            }
        }
        Ok(())
    }

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
        if !self.serve.is_empty() || !self.verbs.is_empty() {
            writeln!(out, "\nways in:")?;
        }
        if !self.serve.is_empty() {
            writeln!(out, "  a protocol on standard input and output, served by {}", self.serve.join(" or "))?;
        }
        for verb in &self.verbs {
            writeln!(out, "  {}, of {}: {}", verb.verb, verb.row, verb.about)?;
        }
        Ok(())
    }
}
