//! Why an event is there.

use std::fmt::{self, Display};

use dsh_declare::model::EventDecl;
use serde::Serialize;

use crate::ask::Composed;
use crate::index::{Declared, ItemId};
use crate::plan::Listener;

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
    /// Rows that hear it, in the order in which they run.
    pub listeners: Vec<Listener>,
}

impl EventAnswer {
    /// Of every event of a name; two packages may use the same type name.
    #[must_use]
    pub(super) fn all(composed: &Composed<'_>, asked: &str) -> Vec<Self> {
        let named = composed
            .index
            .events
            .iter()
            .filter(|(id, event)| event.decl.event.value == asked || id.name == asked || id.to_string() == asked);
        let answer = |(id, event): (&ItemId, &Declared<EventDecl>)| {
            let topic = composed.plan.topics.iter().find(|topic| topic.event == *id);
            let heard = topic.into_iter().flat_map(|topic| &topic.listeners);
            Self {
                name: event.decl.event.value.clone(),
                id: id.to_string(),
                declared: event.place.to_string(),
                dispatchers: topic.map(|topic| topic.dispatchers.clone()).unwrap_or_default(),
                listeners: heard.map(Listener::new).collect(),
            }
        };
        named.map(answer).collect()
    }
}

impl Display for EventAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "event {} ({}), declared at {}", self.name, self.id, self.declared)?;
        let dispatchers = if self.dispatchers.is_empty() { "no row".to_owned() } else { self.dispatchers.join(", ") };
        writeln!(out, "  dispatched by {dispatchers}")?;
        if self.listeners.is_empty() {
            writeln!(out, "  heard by no row")?;
        } else {
            writeln!(out, "  heard, in this order, by:")?;
        }
        for listener in &self.listeners {
            writeln!(out, "    {listener}")?;
        }
        writeln!(out, "  without it: no row loses a service that it requires")
    }
}
