//! Failures of calls.

use dsh_runtime::{InvariantError, ListenerError};
use dsh_session::catalogue::ToolFailure;

/// Why a call failed. The model reads `Error: ` and the message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    message: String,
    info: Option<ToolFailure>,
}

impl ToolError {
    /// A failure in words alone.
    pub fn plain(message: impl Into<String>) -> Self {
        Self { message: message.into(), info: None }
    }

    /// A failure that the log also records by the name of its kind and a code.
    pub fn coded(name: &str, code: &str, message: impl Into<String>) -> Self {
        Self { message: message.into(), info: Some(ToolFailure { name: name.to_owned(), code: code.to_owned() }) }
    }

    /// The words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Name and code, for a failure that has them.
    #[must_use]
    pub fn info(&self) -> Option<&ToolFailure> {
        self.info.as_ref()
    }

    /// The code, for a failure that has one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.info.as_ref().map(|info| info.code.as_str())
    }

    /// `UNKNOWN_TOOL`: the caller sees no tool of that name.
    #[must_use]
    pub fn unknown_tool(name: &str) -> Self {
        Self::coded("ToolNotFoundError", "UNKNOWN_TOOL", format!("unknown tool \"{name}\""))
    }

    /// `INVALID_ARGS`: the arguments are none that the tool takes; `violations` says why.
    #[must_use]
    pub fn invalid_args(violations: &str) -> Self {
        Self::coded("ToolArgsError", "INVALID_ARGS", format!("invalid arguments: {violations}"))
    }

    /// `INVALID_TOOL_OUTPUT`: the body's result cannot be recorded.
    #[must_use]
    pub fn invalid_output(reason: &str) -> Self {
        Self::coded("ToolOutputError", "INVALID_TOOL_OUTPUT", format!("invalid tool output: {reason}"))
    }

    /// `ABORTED`: the caller gave the call up while its body ran.
    #[must_use]
    pub fn aborted() -> Self {
        Self::coded("AbortError", "ABORTED", "tool call aborted")
    }

    /// `ABORTED_BEFORE_DISPATCH`: the caller gave the call up before its body ran.
    #[must_use]
    pub fn aborted_before_dispatch() -> Self {
        Self::coded("AbortError", "ABORTED_BEFORE_DISPATCH", "tool call aborted before dispatch")
    }

    /// `TOOL_NOT_STARTED`: nothing of the call was done.
    #[must_use]
    pub fn not_started(reason: &str) -> Self {
        Self::coded("ToolNotStartedError", "TOOL_NOT_STARTED", format!("the call was not started: {reason}"))
    }

    /// A part of the call panicked; the details are in the diagnostics.
    pub(crate) fn panicked(what: &str, tool: &str) -> Self {
        tracing::error!(tool, "{what} panicked");
        Self::plain(format!("{what} failed unexpectedly"))
    }
}

impl From<ListenerError> for ToolError {
    fn from(error: ListenerError) -> Self {
        match error {
            ListenerError::Invariant(broken) => Self::coded("InvariantError", InvariantError::CODE, broken.to_string()),
            ListenerError::Failed(message) => Self::plain(message),
        }
    }
}
