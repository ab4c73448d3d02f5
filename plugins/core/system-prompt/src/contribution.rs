//! What plugins register.

use std::fmt;
use std::sync::Arc;

use dsh_session::ToolSchema;

use crate::assembly::AssembleContext;

/// A text that is fixed, or made anew for each assembly. A text that comes out empty is left out of the prompt.
#[derive(Clone)]
pub enum Text {
    /// Always the same.
    Fixed(Arc<str>),
    /// Made from the assembly's context.
    Computed(Arc<dyn Fn(&AssembleContext) -> String + Send + Sync>),
}

impl Text {
    /// A text made for each assembly.
    pub fn computed(make: impl Fn(&AssembleContext) -> String + Send + Sync + 'static) -> Self {
        Self::Computed(Arc::new(make))
    }

    pub(crate) fn evaluate(&self, context: &AssembleContext) -> String {
        match self {
            Self::Fixed(text) => text.to_string(),
            Self::Computed(make) => make(context),
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::Fixed(text.into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Fixed(text.into())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(text) => out.debug_tuple("Fixed").field(text).finish(),
            Self::Computed(_) => out.write_str("Computed"),
        }
    }
}

/// A part of the system prompt.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its name; in an agent's scope it replaces the shared section of that name.
    pub name: String,
    /// Its place: ascending, ties in order of registration. Finite.
    pub order: f64,
    /// Its text, with `{{variable}}` where a value goes.
    pub text: Text,
    /// Whether it is the whole system prompt, in place of all other sections.
    pub complete: bool,
}

impl Section {
    /// A section beside others.
    pub fn new(name: &str, order: f64, text: impl Into<Text>) -> Self {
        Self { name: name.to_owned(), order, text: text.into(), complete: false }
    }
}

/// A part of the runtime context, which enters the conversation as a message when it changes.
#[derive(Clone, Debug)]
pub struct Context {
    /// Its name; in an agent's scope it replaces the shared context of that name.
    pub name: String,
    /// Its place: ascending, ties in order of registration. Finite.
    pub order: f64,
    /// Its text, with `{{variable}}` where a value goes.
    pub text: Text,
}

impl Context {
    /// A context.
    pub fn new(name: &str, order: f64, text: impl Into<Text>) -> Self {
        Self { name: name.to_owned(), order, text: text.into() }
    }
}

/// The tools that a provider offers to one assembly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolOffer {
    /// Tools that the model is told of.
    pub schemas: Vec<ToolSchema>,
    /// Names of further tools that exist but are not visible here; a tool order may name them.
    pub known: Vec<String>,
}
