//! Failures of terminal sessions.

use std::io;

use dsh_subprocess::{CleanupError, SignalError, SpawnError};

use crate::TerminalId;

/// Why a terminal session did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// Two backends of one type.
    #[error("a terminal backend of the type `{0}` is already registered")]
    DuplicateBackend(String),
    /// Two sessions of one agent with one name.
    #[error("a terminal session named `{0}` is already open")]
    DuplicateName(String),
    /// No backend of that type.
    #[error("unknown terminal type `{asked}`; known types: {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    NoBackend {
        /// The type that was asked for.
        asked: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// No session of that id.
    #[error("unknown terminal session {0}")]
    NoSession(String),
    /// The session belongs to another agent.
    #[error("terminal session {0} belongs to another agent")]
    ForeignSession(TerminalId),
    /// The agent has ended.
    #[error("the agent that would own the terminal session has ended")]
    OwnerNotLive,
    /// The session is in use.
    #[error("terminal session {0} is busy with another send")]
    SendActive(TerminalId),
    /// The registry is being torn down.
    #[error("terminal sessions are no longer opened: the service is shutting down")]
    ServiceDisposing,
    /// The caller gave the send up; the foreground was interrupted.
    #[error("the send was cancelled and the foreground process interrupted")]
    Cancelled,
    /// The agent's sandbox policy cannot be kept.
    #[error("{0}")]
    SandboxUnavailable(String),
    /// The shell did not start.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// A signal was not delivered.
    #[error(transparent)]
    Signal(#[from] SignalError),
    /// Something was left over.
    #[error(transparent)]
    Cleanup(#[from] CleanupError),
    /// Input was not taken.
    #[error("terminal input failed: {0}")]
    Input(#[source] io::Error),
}

impl TerminalError {
    /// Code of the kinds that have one.
    #[must_use]
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::DuplicateBackend(_) => Some("DUPLICATE_BACKEND"),
            Self::DuplicateName(_) => Some("DUPLICATE_NAME"),
            Self::NoBackend { .. } => Some("NO_BACKEND"),
            Self::NoSession(_) => Some("NO_SESSION"),
            Self::ForeignSession(_) => Some("FOREIGN_SESSION"),
            Self::OwnerNotLive => Some("OWNER_NOT_LIVE"),
            Self::SendActive(_) => Some("SEND_ACTIVE"),
            Self::ServiceDisposing => Some("SERVICE_DISPOSING"),
            Self::SandboxUnavailable(_) => Some("SANDBOX_UNAVAILABLE"),
            Self::Cancelled | Self::Spawn(_) | Self::Signal(_) | Self::Cleanup(_) | Self::Input(_) => None,
        }
    }
}
