//! What is known of a session besides its events.

use dsh_message::SessionId;
use dsh_runtime::Timestamp;

/// How a session came to be, for presentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An agent delegated to it.
    Subagent,
}

/// A session's header; it never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionHeader {
    /// Identity.
    pub id: SessionId,
    /// When it was created.
    pub created_at: Timestamp,
    /// Absolute working folder.
    pub cwd: Option<String>,
    /// Session from which its first events were taken.
    pub parent_session: Option<SessionId>,
    /// How many events were taken from there.
    pub seed_length: Option<u64>,
    /// How it came to be.
    pub origin: Option<Origin>,
    /// How many delegations lie above it.
    pub delegation_depth: u64,
    /// Preset of its agent.
    pub agent_preset: Option<String>,
}

/// What a creator says of a new session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewSession {
    /// Absolute working folder.
    pub cwd: Option<String>,
    /// Session from which the seed was taken.
    pub parent_session: Option<SessionId>,
    /// Length of the inherited prefix.
    pub seed_length: Option<u64>,
    /// How it came to be.
    pub origin: Option<Origin>,
    /// How many delegations lie above it.
    pub delegation_depth: u64,
    /// Preset of its agent.
    pub agent_preset: Option<String>,
}
