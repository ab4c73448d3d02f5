//! What listeners decide about a call.

use std::sync::Arc;

use dsh_message::{ContentBlock, Message};
use serde_json::Value;

/// Whether a call may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PreExecuteDecision {
    /// It may, unless a guard denies it.
    Allow,
    /// It may not.
    Deny {
        /// Why, for the model.
        reason: String,
    },
    /// A person decides.
    Ask {
        /// Why, for the person, and for the model where nobody can be asked.
        reason: Option<String>,
    },
}

/// What becomes of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct PostExecuteDecision {
    /// What is changed.
    pub action: PostExecuteAction,
    /// Messages that the model reads at its next step, after those of the result.
    pub additional_contexts: Vec<Arc<Message>>,
}

/// What a review changes.
#[derive(Clone, Debug, PartialEq)]
pub enum PostExecuteAction {
    /// Nothing.
    Accept,
    /// What the model reads; the value stays.
    ReplaceContent(Vec<ContentBlock>),
    /// The value of a success, and with it what the model reads.
    ReplaceValue(Value),
    /// The call becomes a failure that reads as this feedback. What it deferred is dropped.
    Block(Vec<ContentBlock>),
}

impl PostExecuteDecision {
    /// The result stays as it is.
    #[must_use]
    pub fn accept() -> Self {
        Self { action: PostExecuteAction::Accept, additional_contexts: Vec::new() }
    }

    /// The call becomes a failure that reads as `feedback`.
    #[must_use]
    pub fn block(feedback: impl Into<String>) -> Self {
        Self { action: PostExecuteAction::Block(vec![ContentBlock::text(feedback.into())]), additional_contexts: Vec::new() }
    }

    /// The same with another message for the model's next step.
    #[must_use]
    pub fn with_context(mut self, message: Arc<Message>) -> Self {
        self.additional_contexts.push(message);
        self
    }
}
