//! The inject graph: rows, and the services that they take from each other. An arrow leads from the row that needs a service to the
//! row that provides it.

use std::fmt::Write as _;

use serde::Serialize;

use super::Composed;
use super::needs::{Need, needs};
use crate::plan::{OffWhen, PlannedRow, PlannedTopic};

/// The rows that mount, with what they take from each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InjectGraph {
    /// Profile name.
    pub profile: String,
    /// Rows in mount order.
    pub rows: Vec<GraphRow>,
    /// Services that rows take.
    pub needs: Vec<Need>,
    /// Events with their dispatchers and listeners; absent unless they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<GraphEvent>>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphRow {
    /// Row id.
    pub id: String,
    /// Plugin name.
    pub plugin: String,
    /// Conditions under which it is off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub off_when: Vec<OffWhen>,
    /// The group around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// An event that is both dispatched and heard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphEvent {
    /// Its name.
    pub name: String,
    /// Rows that dispatch it.
    pub dispatchers: Vec<String>,
    /// Rows that hear it, in the order in which they run.
    pub listeners: Vec<String>,
}

impl InjectGraph {
    /// The graph of services.
    #[must_use]
    pub fn new(composed: &Composed<'_>) -> Self {
        let plan = composed.plan;
        let row = |row: &PlannedRow| GraphRow {
            id: row.id.clone(),
            plugin: row.plugin.clone(),
            off_when: plan.off_when(row),
            group: row.groups.last().cloned(),
        };
        let rows = plan.all_rows().map(row).collect();
        Self { profile: plan.profile.clone(), rows, needs: needs(composed), events: None }
    }

    /// The graph of services, and the events that are both dispatched and heard.
    #[must_use]
    pub fn with_events(composed: &Composed<'_>) -> Self {
        let topics = composed.plan.topics.iter().filter(|topic| !topic.dispatchers.is_empty() && !topic.listeners.is_empty());
        let event = |topic: &PlannedTopic| GraphEvent {
            name: topic.name.clone(),
            dispatchers: topic.dispatchers.clone(),
            listeners: topic.listeners.iter().map(|heard| heard.row.clone()).collect(),
        };
        Self { events: Some(topics.map(event).collect()), ..Self::new(composed) }
    }

    /// For Mermaid. An optional need is dashed, an event thick.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut text = "flowchart LR\n".to_owned();
        // Writing to a string does not fail.
        for (at, row) in self.rows.iter().enumerate() {
            let _ = writeln!(text, "  r{at}[\"{}\"]", row.label("<br/>", mermaid_text));
        }
        for need in &self.needs {
            let arrow = if need.optional { "-.->" } else { "-->" };
            let _ = writeln!(text, "  {} {arrow}|\"{}\"| {}", self.node(&need.row), mermaid_text(&need.service), self.node(&need.from));
        }
        for (at, event) in self.events.iter().flatten().enumerate() {
            let _ = writeln!(text, "  e{at}([\"{}\"])", mermaid_text(&event.name));
            for row in &event.dispatchers {
                let _ = writeln!(text, "  {} ==> e{at}", self.node(row));
            }
            for row in &event.listeners {
                let _ = writeln!(text, "  e{at} ==> {}", self.node(row));
            }
        }
        text
    }

    /// For Graphviz. An optional need is dashed, an event bold.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut text = format!("digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=box];\n", self.profile);
        for (at, row) in self.rows.iter().enumerate() {
            let _ = writeln!(text, "  r{at} [label=\"{}\"];", row.label("\\n", dot_text));
        }
        for need in &self.needs {
            let style = if need.optional { ", style=dashed" } else { "" };
            let _ =
                writeln!(text, "  {} -> {} [label=\"{}\"{style}];", self.node(&need.row), self.node(&need.from), dot_text(&need.service));
        }
        for (at, event) in self.events.iter().flatten().enumerate() {
            let _ = writeln!(text, "  e{at} [label=\"{}\", shape=ellipse];", dot_text(&event.name));
            for row in &event.dispatchers {
                let _ = writeln!(text, "  {} -> e{at} [style=bold];", self.node(row));
            }
            for row in &event.listeners {
                let _ = writeln!(text, "  e{at} -> {} [style=bold];", self.node(row));
            }
        }
        text + "}\n"
    }

    /// How both languages call a row: ids may hold hyphens and the languages' own words, numbers do not.
    fn node(&self, id: &str) -> String {
        format!("r{}", self.rows.iter().take_while(|row| row.id != id).count())
    }
}

impl GraphRow {
    /// `text` makes any text one of the language.
    fn label(&self, line_break: &str, text: fn(&str) -> String) -> String {
        let plugin = (self.plugin != self.id).then(|| self.plugin.clone());
        let group = self.group.as_ref().map(|group| format!("in group {group}"));
        let conditions = self.off_when.iter().map(|condition| text(&condition.to_string()));
        [self.id.clone()].into_iter().chain(plugin).chain(group).chain(conditions).collect::<Vec<_>>().join(line_break)
    }
}

/// Keys of services and names of events may hold any character.
fn mermaid_text(text: &str) -> String {
    text.replace('#', "#35;").replace('"', "#quot;").replace(['\n', '\r'], " ")
}

fn dot_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
