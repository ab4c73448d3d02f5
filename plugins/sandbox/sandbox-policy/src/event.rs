//! The switch in the log.

use dsh_runtime::session_event;
use serde::{Deserialize, Serialize};

use crate::mode::SandboxMode;

/// The session's mode from here on; the last one counts.
#[session_event(name = "sandbox/mode")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxModeSet {
    /// The mode.
    pub mode: SandboxMode,
    /// Where it came from, unless a person or a preset chose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<ModeSource>,
}

/// Where a mode came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModeSource {
    /// The agent that delegated to this one.
    Delegation,
}
