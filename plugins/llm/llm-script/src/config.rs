//! The row's config.

use std::path::PathBuf;

use dsh_runtime::config;

/// Which provider is played, and from which script.
#[config]
pub struct Config {
    /// Id of the provider's route, which may be that of a real one.
    #[config(default = "script", non_blank)]
    pub provider: String,
    /// The script, a YAML file; a relative path starts at the process's working directory.
    #[config(non_empty)]
    pub script: PathBuf,
}
