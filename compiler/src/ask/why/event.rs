//! Why an event is there.

use std::fmt::{self, Display};

use dsh_declare::model::{EventDecl, Position};
use serde::Serialize;

use super::listed;
use crate::ask::Composed;
use crate::index::{Declared, ItemId};

/// What is known of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventAnswer {
    /// Its name.
    pub name: String,
    /// Its type, as `package::Type`.
    pub id: String,
    /// Where it is declared.
    pub declared: String,
    /// Rows that dispatch it.
    pub dispatchers: Vec<String>,
    /// Rows that hear it, in the order in which they run, with what they ask for: `first`, `last` or nothing.
    pub listeners: Vec<(String, Option<&'static str>)>,
}

impl EventAnswer {
    /// Of every event of a name; two packages may use the same type name.
    #[must_use]
    pub(super) fn all(composed: &Composed<'_>, asked: &str) -> Vec<Self> {
        let named = composed.index.events.iter().filter(|(id, event)| {
            event.decl.event.value == asked || id.name == asked || id.to_string() == asked
        });
        let answer = |(id, event): (&ItemId, &Declared<EventDecl>)| {
            let topic = composed.plan.topics.iter().find(|topic| topic.event == *id);
            let heard = topic.into_iter().flat_map(|topic| &topic.listeners);
            Self {
                name: event.decl.event.value.clone(),
                id: id.to_string(),
                declared: event.place.to_string(),
                dispatchers: topic.map(|topic| topic.dispatchers.clone()).unwrap_or_default(),
                listeners: heard.map(|heard| (heard.row.clone(), word(heard.position))).collect(),
            }
        };
        named.map(answer).collect()
    }
}

fn word(position: Position) -> Option<&'static str> {
    match position {
        Position::First => Some("first"),
        Position::Row => None,
        Position::Last => Some("last"),
    }
}

impl Display for EventAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "event {} ({}), declared at {}", self.name, self.id, self.declared)?;
        writeln!(out, "  dispatched by {}", listed(&self.dispatchers))?;
        if self.listeners.is_empty() {
            writeln!(out, "  heard by no row")?;
        } else {
            writeln!(out, "  heard, in this order, by:")?;
        }
        for (row, asks) in &self.listeners {
            let asks = asks.map(|word| format!(" (asks to be {word})")).unwrap_or_default();
            writeln!(out, "    {row}{asks}")?;
        }
        writeln!(out, "  without it: no row loses a service that it requires")
    }
}
