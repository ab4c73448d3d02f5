//! The result of a call.

use std::sync::Arc;

use dsh_json::Json;
use dsh_message::{ContentBlock, Message};
use serde_json::Value;

use crate::{ToolError, ToolOutput};

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It did what it was asked.
    Success {
        /// The result as data.
        value: Value,
        /// What clients need to show it.
        meta: Option<Json>,
        /// Whether the turn ends after this step when nothing else is pending.
        concludes_turn: bool,
    },
    /// It did not.
    Failure(ToolError),
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// How it ended.
    pub outcome: Outcome,
    /// What the model reads.
    pub content: Vec<ContentBlock>,
    /// Messages that the model reads at its next step.
    pub additional_contexts: Vec<Arc<Message>>,
}

impl ToolResult {
    /// A body's success.
    #[must_use]
    pub fn success(output: ToolOutput) -> Self {
        let ToolOutput { value, content, meta } = output;
        Self { outcome: Outcome::Success { value, meta, concludes_turn: false }, content, additional_contexts: Vec::new() }
    }

    /// A failure, which the model reads as `Error: ` and its message.
    #[must_use]
    pub fn failure(error: ToolError) -> Self {
        let content = vec![ContentBlock::text(format!("Error: {error}"))];
        Self { outcome: Outcome::Failure(error), content, additional_contexts: Vec::new() }
    }

    /// Whether it is a failure.
    #[must_use]
    pub fn is_error(&self) -> bool {
        matches!(self.outcome, Outcome::Failure(_))
    }

    /// The same with messages added after those that it carries.
    #[must_use]
    pub fn with_contexts(mut self, contexts: Vec<Arc<Message>>) -> Self {
        self.additional_contexts.extend(contexts);
        self
    }
}
