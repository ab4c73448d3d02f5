//! Turns, and the mark after a seed.

use dsh_message::LlmFailure;
use dsh_runtime::session_event;
use serde::{Deserialize, Serialize};

/// A turn begins, before it claims its first input.
#[session_event(name = "turn/start")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnStart {
    /// Its number, from 1, without gaps.
    pub turn: u64,
}

/// A turn ends; written once for every turn that began.
#[session_event(name = "turn/end")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnEnd {
    /// Its number.
    pub turn: u64,
    /// Why.
    pub reason: TurnEndReason,
}

/// Why a turn ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TurnEndReason {
    /// The model had said all, or there was nothing to run.
    Completed,
    /// A step reached the ceiling of output.
    MaxTokens,
    /// A listener rejected the step.
    Blocked,
    /// It was cancelled.
    Aborted {
        /// By whom.
        reason: AbortCause,
    },
    /// Something failed.
    Error {
        /// What.
        error: LlmFailure,
    },
    /// The process ended in the middle; written by crash repair alone.
    Interrupted,
}

/// Who cancelled an activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum AbortCause {
    /// A person.
    User,
    /// The agent above it.
    Parent,
    /// A hook.
    Hook {
        /// The hook's words.
        reason: String,
    },
    /// The agent was disposed.
    Disposed,
    /// Unknown; from an older record.
    Legacy,
}

/// Stands after the events that a session was created with.
#[session_event(name = "session/end-seed")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndSeed {}
