//! What a model is sent.

use std::sync::Arc;

use dsh_json::JsString;
use dsh_message::{Message, SessionId};
use dsh_runtime::CancellationToken;
use dsh_session::{History, ToolSchema};

/// A request, besides route and settings. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct LlmRequest {
    /// The conversation.
    pub messages: RequestMessages,
    /// System prompt.
    pub system: Option<JsString>,
    /// Tools in the order in which the model sees them.
    pub tools: Arc<[ToolSchema]>,
    /// The session on whose behalf the call is made.
    pub session: Option<SessionId>,
    /// What the call is for, when it is no step of an agent.
    pub purpose: Option<Purpose>,
    /// Gives the call up.
    pub signal: CancellationToken,
}

/// The messages of a request.
#[derive(Clone, Debug)]
pub enum RequestMessages {
    /// An agent's step: what its session's log derives, and nothing else.
    Logged(History),
    /// A call beside the conversation, such as one that makes a title.
    Auxiliary(Arc<[Arc<Message>]>),
}

impl RequestMessages {
    /// The messages in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Arc<Message>] {
        match self {
            Self::Logged(history) => history.messages(),
            Self::Auxiliary(messages) => messages,
        }
    }
}

/// What a call beside the conversation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To shorten a history.
    Compaction,
    /// To name a session.
    SessionTitle,
}
