//! Steps of a turn.

use dsh_runtime::session_event;
use serde::{Deserialize, Serialize};

/// A step begins: it was accepted and there is something to run.
#[session_event(name = "step/start")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepStart {
    /// The turn.
    pub turn: u64,
    /// Its number in the turn, from 1.
    pub step: u64,
}

/// A step ends; written for every step that began.
#[session_event(name = "step/end")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepEnd {
    /// The turn.
    pub turn: u64,
    /// Its number in the turn.
    pub step: u64,
}
