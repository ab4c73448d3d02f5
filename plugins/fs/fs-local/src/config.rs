//! The row's config.

use std::path::PathBuf;

use dsh_runtime::config;

/// How files of this machine are served.
#[config]
pub struct Config {
    /// Base of relative paths; the process's working directory when absent.
    pub cwd: Option<PathBuf>,
    /// Size in bytes from which on the old and new text of an overwritten file are no longer compared.
    #[config(default = 10_485_760, min = 1, max = 67_108_864)]
    pub diff_basis_max_bytes: u64,
}
