//! The row's config.

use std::path::PathBuf;

use dsh_runtime::config;

/// Which session is served.
#[config]
pub struct Config {
    /// The log of the session, plain or compressed; a relative path starts at the process's working directory.
    #[config(non_empty)]
    pub file: PathBuf,
}
