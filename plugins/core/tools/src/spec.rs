//! What is known of a tool besides its body.

use dsh_session::ToolSchema;
use serde_json::Value;

/// How clients show calls of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Render {
    /// A title and its arguments.
    Generic,
    /// A command and its output.
    Terminal,
    /// Changes of files.
    Diff,
}

impl Render {
    /// Its name in answers of a binary.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Terminal => "terminal",
            Self::Diff => "diff",
        }
    }
}

/// A tool's declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// Name that the model uses: letters, digits, `_` and `-`, at most 64 of them.
    pub name: String,
    /// What it does and when to use it, for the model.
    pub description: String,
    /// JSON Schema of its arguments, an object that is open at its root. See the README for the keywords.
    pub parameters: Value,
    /// How clients show its calls.
    pub render: Render,
    /// Whether its calls may overlap with others of the same reply.
    pub concurrent: bool,
    /// How long a call may take, in milliseconds, where a policy enforces it; positive.
    pub timeout_ms: Option<u64>,
}

impl ToolSpec {
    /// What the model is told.
    #[must_use]
    pub fn schema(&self) -> ToolSchema {
        ToolSchema { name: self.name.clone(), description: self.description.clone(), parameters: self.parameters.clone() }
    }
}
