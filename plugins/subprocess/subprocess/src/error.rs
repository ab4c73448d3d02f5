//! How starting, signalling and ending processes fails.

use std::io;
use std::path::PathBuf;

use crate::{ProcessId, Signal};

/// Why no process was started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The argument list has no program.
    #[error("no program was given")]
    NoProgram,
    /// The caller's cancellation came first.
    #[error("cancelled before the process was started")]
    Cancelled,
    /// The provider is being torn down.
    #[error("processes are no longer started: the provider is shutting down")]
    ShuttingDown,
    /// The working folder is missing or is no folder.
    #[error("working folder `{}` cannot be used: {source}", path.display())]
    WorkingFolder {
        /// The folder.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// The system refused the program.
    #[error("`{program}` did not start: {source}")]
    Refused {
        /// The program as given.
        program: String,
        /// The system's words.
        source: io::Error,
    },
    /// No terminal could be made.
    #[error("no pseudo-terminal: {0}")]
    Terminal(#[source] io::Error),
}

/// Why a program was not found.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExecutableError {
    /// The name is empty.
    #[error("the name of a program is empty")]
    Empty,
    /// A relative path with a separator depends on the working folder.
    #[error("`{0}` is a relative path: give an absolute path or a bare name")]
    Relative(String),
    /// Nothing executable has that name.
    #[error("`{0}` was not found or is not executable")]
    NotFound(String),
}

/// Processes that could not be ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("terminal cleanup failed; surviving pids: {}", survivors.iter().map(|survivor| survivor.0.to_string()).collect::<Vec<_>>().join(", "))]
pub struct CleanupError {
    /// Those that are left.
    pub survivors: Vec<ProcessId>,
}

/// Why a signal was not delivered.
#[derive(Debug, thiserror::Error)]
pub enum SignalError {
    /// The terminal's shell owns the foreground; it is ended by closing the terminal.
    #[error("{0} is not sent to the shell itself; close the terminal to end it")]
    OwnShell(Signal),
    /// The terminal has no foreground group or it is gone.
    #[error("no foreground process to signal: {0}")]
    NoForeground(#[source] io::Error),
}
