//! What a catalog holds before it is written.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::subject::Subject;
use crate::index::ItemId;

/// What a catalog holds.
pub(super) struct Content {
    /// What it lists, in a word or two.
    title: &'static str,
    /// What an entry says and what it is good for.
    about: String,
    /// For programs.
    entries: Value,
    /// What else is for programs.
    more: Map<String, Value>,
    /// The page below its head.
    body: String,
    /// The declarations that it shows.
    pub shown: Vec<ItemId>,
}

impl Content {
    /// With entries of one kind.
    ///
    /// # Panics
    /// When an entry is no JSON, which strings, numbers and lists always are.
    pub(super) fn new(title: &'static str, about: impl Into<String>, entries: &impl Serialize, body: String) -> Self {
        let entries =
            serde_json::to_value(entries).unwrap_or_else(|error| panic!("an entry of the catalog of {title} is no JSON: {error}"));
        Self { title, about: about.into(), entries, more: Map::new(), body, shown: Vec::new() }
    }

    /// Shows these declarations.
    pub(super) fn showing(self, shown: impl IntoIterator<Item = ItemId>) -> Self {
        Self { shown: shown.into_iter().collect(), ..self }
    }

    /// Has another member besides the entries.
    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.more.insert(key.to_owned(), value.into());
        self
    }

    /// The page.
    pub(super) fn page(&self, subject: &Subject<'_>) -> String {
        let (made, of) = match subject.plan {
            Some(plan) => (format!("dsh-build sync {}", plan.profile), format!("the profile `{}`", plan.profile)),
            None => ("dsh-build sync".to_owned(), "the workspace".to_owned()),
        };
        let head = format!("<!-- Made by `{made}`. Change the declarations or the profile, not this file. -->");
        let body = if self.body.is_empty() { "There are none.\n" } else { &self.body };
        format!("{head}\n\n# {} of {of}\n\n{}\n\n{}\n", self.title, self.about, body.trim_end())
    }

    /// For programs.
    pub(super) fn data(&self, subject: &Subject<'_>) -> String {
        let mut data = json!({ "catalog": self.title, "profile": subject.plan.map(|plan| &plan.profile) });
        if let Value::Object(members) = &mut data {
            members.extend(self.more.clone());
            members.insert("entries".to_owned(), self.entries.clone());
        }
        // A tree of `Value`s has nothing that cannot be written.
        serde_json::to_string_pretty(&data).unwrap_or_default() + "\n"
    }
}
