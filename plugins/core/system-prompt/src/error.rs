//! Failures of registration and of assembly.

use dsh_runtime::MountError;

/// Why a contribution was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// The layer has one of that name.
    #[error("the prompt already has a {kind} named `{name}` in this layer")]
    Duplicate {
        /// Section, context or variable.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The name is blank.
    #[error("a prompt {kind} needs a name")]
    Unnamed {
        /// Section or context.
        kind: &'static str,
    },
    /// The order is not a finite number.
    #[error("the order of the prompt {kind} `{name}` is not a finite number")]
    Order {
        /// Section or context.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The name is none that a text can refer to.
    #[error("`{name}` is no name of a prompt variable: it starts with a to z and goes on with a to z, 0 to 9 and `_`")]
    VariableName {
        /// The name.
        name: String,
    },
}

impl From<RegisterError> for MountError {
    fn from(error: RegisterError) -> Self {
        Self::new(error)
    }
}

/// Why no prompt could be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// A text refers to a variable that has no value here.
    #[error("{part} uses `{{{{{name}}}}}`, which {why}")]
    Variable {
        /// The section or context.
        part: String,
        /// The reference.
        name: String,
        /// Unknown, or without a value.
        why: &'static str,
    },
    /// A text holds braces that are no reference.
    #[error("{part} holds `{{{{` that starts no reference of the form `{{{{name}}}}`")]
    Malformed {
        /// The section or context.
        part: String,
    },
    /// More than one section is to be the whole prompt.
    #[error("the sections `{first}` and `{second}` are both to be the whole system prompt")]
    SeveralComplete {
        /// One.
        first: String,
        /// Another.
        second: String,
    },
    /// The tool order names a tool that does not exist.
    #[error("the tool order names `{name}`, which no plugin offers")]
    UnknownTool {
        /// The name.
        name: String,
    },
    /// Two tools have one name.
    #[error("two tools are named `{name}`")]
    DuplicateTool {
        /// The name.
        name: String,
    },
    /// A contributor or a listener failed.
    #[error("{0}")]
    Contributor(String),
}
