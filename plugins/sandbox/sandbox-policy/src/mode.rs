//! Modes of confinement.

use std::fmt;

use dsh_runtime::config;
use serde::{Deserialize, Serialize};

/// How far the effects of tools on files reach.
#[config]
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// No file may be changed.
    ReadOnly,
    /// Files under the workspace and the temporary directories may be changed.
    WorkspaceWrite,
    /// Nothing is confined.
    DangerFullAccess,
}

impl fmt::Display for SandboxMode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
