//! The handle of an agent.

use std::sync::Arc;

use dsh_message::{Message, SessionId};
use dsh_runtime::{BoxFuture, Scope};
use dsh_session::Session;
use dsh_session::catalogue::AbortCause;

use crate::{Inbox, InboxFailure};

/// What an agent is asked to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentOptions {
    /// Route of its requests.
    pub provider: Option<String>,
    /// Model of its requests.
    pub model: Option<String>,
    /// Ceiling of output tokens of one request; 1 to 2^53 - 1.
    pub max_tokens: Option<u64>,
    /// How much the model should think, in the provider's words.
    pub reasoning_effort: Option<String>,
}

/// Whether an agent works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentStatus {
    /// It waits for input.
    Idle,
    /// It runs a turn.
    Running,
}

impl AgentStatus {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
        }
    }
}

/// Which list of the inbox a message goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// A turn of its own.
    NextTurn,
    /// The next step of the open turn.
    NextStep,
}

/// Whether a message starts an idle agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// It does.
    Yes,
    /// It waits.
    No,
}

/// Whether pending input survives a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepInbox {
    /// It waits for the next waking message.
    Yes,
    /// It is dropped.
    No,
}

/// A live agent. It has one session, whose id is its own.
pub trait Agent: Send + Sync {
    /// Id of the agent and of its session.
    fn id(&self) -> &SessionId;
    /// What it was asked to be.
    fn options(&self) -> &AgentOptions;
    /// Its session.
    fn session(&self) -> &Arc<Session>;
    /// Its scope: what is registered there is its own and ends with it.
    fn scope(&self) -> &Scope;
    /// Its pending input.
    fn inbox(&self) -> &Inbox;
    /// Whether it works.
    fn status(&self) -> AgentStatus;
    /// Hands it a message. A waking message starts an idle agent: its turn is open and has claimed its input when this returns.
    ///
    /// # Errors
    /// When the message is pending already, the log refuses it, or the agent has ended.
    fn send(&self, message: Arc<Message>, target: Target, wake: Wake) -> Result<(), InboxFailure>;
    /// Gives up what it does; the first cause counts. An idle agent only loses its pending input.
    fn cancel(&self, cause: AbortCause, keep: KeepInbox);
    /// Waits until it is idle with nothing left to run.
    fn when_idle(&self) -> BoxFuture<'_, ()>;
    /// Ends it: cancels, waits for its work to settle, undoes its scope, takes it and its session out of the registries. It ends
    /// once, whoever asks and however often; once asked for, it goes on even when nobody waits for it.
    fn dispose(&self) -> BoxFuture<'_, ()>;
}

impl dyn Agent {
    /// Input for a turn of its own; wakes.
    ///
    /// # Errors
    /// As [`Agent::send`].
    pub fn followup(&self, message: Arc<Message>) -> Result<(), InboxFailure> {
        self.send(message, Target::NextTurn, Wake::Yes)
    }

    /// Input for the next step; wakes.
    ///
    /// # Errors
    /// As [`Agent::send`].
    pub fn steer(&self, message: Arc<Message>) -> Result<(), InboxFailure> {
        self.send(message, Target::NextStep, Wake::Yes)
    }

    /// Input for the next step that wakes nobody.
    ///
    /// # Errors
    /// As [`Agent::send`].
    pub fn inject(&self, message: Arc<Message>) -> Result<(), InboxFailure> {
        self.send(message, Target::NextStep, Wake::No)
    }
}
