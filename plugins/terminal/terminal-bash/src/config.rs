//! The row's config.

use std::path::PathBuf;

use dsh_runtime::config;

/// How shells are started and waited for.
#[config]
pub struct Config {
    /// Type under which the backend is registered.
    #[config(default = "shell", non_empty)]
    pub backend_type: String,
    /// The shell, a bash.
    #[config(default = "/bin/bash", non_empty)]
    pub shell_path: PathBuf,
    /// Its arguments. When absent: `--noprofile --norc -i`, and `--noediting` in sessions that a program drives.
    pub shell_args: Option<Vec<String>>,
    /// Height of the terminal in lines.
    #[config(default = 40, min = 1)]
    pub rows: u16,
    /// Width of the terminal in characters.
    #[config(default = 160, min = 1)]
    pub cols: u16,
    /// Lines kept.
    #[config(default = 10_000, min = 1)]
    pub scrollback_lines: usize,
    /// Bytes kept.
    #[config(default = 4_194_304, min = 1)]
    pub scrollback_max_bytes: usize,
    /// Bytes of one read or of what a send returns.
    #[config(default = 262_144, min = 1)]
    pub max_read_bytes: usize,
    /// Silence after a prompt that makes it count, and first pause between looks at the foreground, in milliseconds.
    #[config(default = 50, min = 1)]
    pub poll_interval_ms: u64,
    /// Silence before the foreground is first looked at, in milliseconds.
    #[config(default = 150, min = 1)]
    pub exact_probe_after_ms: u64,
    /// Silence that counts as being idle, in milliseconds.
    #[config(default = 3_000, min = 1)]
    pub idle_silence_ms: u64,
    /// Longer silence that is needed once a prompt was seen, in milliseconds.
    #[config(default = 500, min = 1)]
    pub handoff_grace_ms: u64,
    /// Longest wait of one send, in milliseconds.
    #[config(default = 30_000, min = 1)]
    pub timeout_ms: u64,
    /// Time between the polite request to end and the kill, in milliseconds.
    #[config(default = 3_000, min = 1)]
    pub dispose_grace_ms: u64,
}

impl Config {
    /// Checks what holds between fields.
    pub(crate) fn check_together(&self) -> Result<(), String> {
        if self.max_read_bytes > self.scrollback_max_bytes {
            return Err("`maxReadBytes` is greater than `scrollbackMaxBytes`, so that it could never be reached".to_owned());
        }
        if self.handoff_grace_ms < self.poll_interval_ms {
            return Err("`handoffGraceMs` is less than `pollIntervalMs`".to_owned());
        }
        Ok(())
    }
}
