//! The row's config.

use std::path::PathBuf;

use dsh_runtime::config;

use crate::mode::SandboxMode;

/// What sessions start with.
#[config]
pub struct Config {
    /// Mode of sessions whose log names none.
    #[config(default = "read-only")]
    pub mode: SandboxMode,
    /// Workspace of sessions without a directory of their own; the process's working directory when absent.
    pub workspace_root: Option<PathBuf>,
}
