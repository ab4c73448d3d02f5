//! How agents come to be.

use std::sync::Arc;

use dsh_message::SessionId;
use dsh_runtime::{BoxFuture, CancellationToken, ListenerError, PresetError};
use dsh_session::{NewSession, SessionEvent, StoreError};

use crate::{Agent, AgentOptions, InboxFailure};

/// An agent with a new session.
#[derive(Clone, Debug)]
pub struct CreateAgent {
    /// Id of the session.
    pub session_id: SessionId,
    /// What is said of the session. The preset that it names is the one that the agent joins; a session that was delegated joins the
    /// preset of the agent of its parent session.
    pub session: NewSession,
    /// Events that its log begins with; an empty seed still leaves its mark.
    pub seed: Option<Vec<SessionEvent>>,
    /// What the agent is to be.
    pub options: AgentOptions,
    /// Gives the creation up.
    pub signal: CancellationToken,
}

/// An agent for a stored session. It joins the preset that the session's header names.
#[derive(Clone, Debug)]
pub struct ResumeAgent {
    /// The session.
    pub session_id: SessionId,
    /// What the agent is to be.
    pub options: AgentOptions,
    /// Gives the resumption up.
    pub signal: CancellationToken,
}

/// Whether an agent took up a new session or one that was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartSource {
    /// A new one.
    Startup,
    /// One that was stored.
    Resume,
}

/// Why there is no agent.
#[derive(Debug, thiserror::Error)]
pub enum AgentFailure {
    /// No row of the composition drives agents.
    #[error("no agent factory is mounted: the composition needs a row that drives agents, such as `agent-loop`")]
    NoFactory,
    /// Another agent has the id.
    #[error("agent \"{0}\" is already registered")]
    Registered(SessionId),
    /// A ceiling of output that no request can state.
    #[error("`maxTokens` of agent \"{0}\" is not between 1 and 9007199254740991")]
    MaxTokens(SessionId),
    /// The session.
    #[error(transparent)]
    Session(#[from] StoreError),
    /// The inbox of a stored session.
    #[error("the inbox of session \"{id}\" cannot be rebuilt: {source}")]
    Inbox {
        /// The session.
        id: SessionId,
        /// What is wrong with it.
        source: InboxFailure,
    },
    /// Its preset.
    #[error("agent \"{id}\" cannot join its preset: {source}")]
    Preset {
        /// The agent.
        id: SessionId,
        /// What is wrong with it.
        source: PresetError,
    },
    /// A delegated agent joins its parent's preset and no other.
    #[error("agent \"{id}\" cannot join the preset \"{asked}\": its parent {}", joined(parent.as_deref()))]
    OtherPreset {
        /// The agent.
        id: SessionId,
        /// The preset that was asked for.
        asked: String,
        /// The preset of its parent.
        parent: Option<String>,
    },
    /// A listener refused it.
    #[error("agent \"{id}\" was refused: {source}")]
    Refused {
        /// The agent.
        id: SessionId,
        /// The listener's words.
        source: ListenerError,
    },
    /// No row of the composition stores sessions.
    #[error("session \"{0}\" cannot be resumed: no row of the composition stores sessions")]
    NoPersistence(SessionId),
    /// The store has no such session or cannot read it.
    #[error("{message}")]
    Load {
        /// The store's words.
        message: String,
    },
    /// The creation was given up, or the driver is being torn down.
    #[error("the start of agent \"{0}\" was given up")]
    Cancelled(SessionId),
}

fn joined(preset: Option<&str>) -> String {
    preset.map_or_else(|| "joined none".to_owned(), |preset| format!("joined \"{preset}\""))
}

/// Whoever drives agents.
pub trait AgentFactory: Send + Sync {
    /// Creates an agent with a new session.
    fn create(&self, request: CreateAgent) -> BoxFuture<'_, Result<Arc<dyn Agent>, AgentFailure>>;
    /// Takes a stored session up.
    fn resume(&self, request: ResumeAgent) -> BoxFuture<'_, Result<Arc<dyn Agent>, AgentFailure>>;
}
