//! The row's config.

use std::path::PathBuf;

use dsh_runtime::config;

/// How and where sessions are stored.
#[config]
pub struct Config {
    /// Directory of the store, made when the first session is written; relative to the process's working directory.
    #[config(non_empty)]
    pub root: PathBuf,
    /// Whether runs of a model's stream are written as one line each; both forms are read.
    #[config(default = true)]
    pub pack_chunks: bool,
    /// Encoding of the files that are written and read.
    #[config(default = "none")]
    pub compression: Compression,
    /// Longest time in milliseconds that a piece of a model's stream waits in memory before it is written.
    #[config(default = 200, min = 1, max = 2_147_483_647)]
    pub write_batch_max_delay_ms: u64,
}

/// Encoding of a log file.
#[config]
pub enum Compression {
    /// Plain text.
    None,
    /// Zstandard: a frame for the header, and one for each batch of events.
    Zstd,
}
