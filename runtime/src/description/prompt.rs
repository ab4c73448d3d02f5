//! What rows add to the prompt, as far as their configs say.

use serde::Serialize;

use crate::plugin::Plugin;

/// A plugin that adds to the prompt; `#[prompt]` implements it.
pub trait DescribesPrompt: Plugin {
    /// What it adds under a config. Pure: the same config gives the same list.
    fn prompt(config: &Self::Config) -> Vec<PromptPart>;
}

/// Something that a plugin adds to the prompt, or that leaves it open.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PromptPart {
    /// What it is.
    pub kind: PromptKind,
    /// Its name; of a registry the key of the service, of listeners the name of the event.
    pub name: String,
    /// Its place among its kind: ascending; none where there is no order.
    pub order: Option<f64>,
    /// Its text, where the config decides it.
    pub text: Option<String>,
    /// What else decides the text.
    pub open: Option<String>,
}

/// What a part of the prompt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PromptKind {
    /// A section of the system prompt.
    Section,
    /// A runtime context, which enters the conversation when it changes.
    Context,
    /// A variable of texts.
    Variable,
    /// A source of tool schemas.
    Tools,
    /// A service whose consumers may add further parts.
    Registry,
    /// An event whose listeners may change all of it.
    Listeners,
    /// Runtime contexts are left out.
    NoContexts,
}

impl PromptPart {
    /// A part whose text the config decides.
    pub fn known(kind: PromptKind, name: &str, order: f64, text: impl Into<String>) -> Self {
        Self { kind, name: name.to_owned(), order: Some(order), text: Some(text.into()), open: None }
    }

    /// What is no text itself: a registry, an event, an absence.
    #[must_use]
    pub fn mark(kind: PromptKind, name: &str) -> Self {
        Self { kind, name: name.to_owned(), order: None, text: None, open: None }
    }

    /// A part whose text something else decides.
    pub fn open(kind: PromptKind, name: &str, order: Option<f64>, open: &str) -> Self {
        Self { kind, name: name.to_owned(), order, text: None, open: Some(open.to_owned()) }
    }
}

/// A part of the prompt with the row that adds it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PromptDescription {
    /// The row.
    pub row: &'static str,
    /// What it adds.
    #[serde(flatten)]
    pub part: PromptPart,
}

/// What a row adds to the prompt under its config; nothing of it is mounted.
#[must_use]
pub fn prompt_of<P: DescribesPrompt>(row: &'static str, config: &P::Config) -> Vec<PromptDescription> {
    P::prompt(config).into_iter().map(|part| PromptDescription { row, part }).collect()
}
