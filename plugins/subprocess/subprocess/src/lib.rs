//! Starting child processes: what a provider is asked for, what it hands back, and how it fails.
//!
//! A child is always the leader of a session of its own, and everything that it starts belongs to its tree. Ending a child
//! means ending the tree. Nothing here interprets a command: programs are given as argument lists.

mod child;
mod environment;
mod error;
mod output_tail;
mod process;
mod signal;
mod spawn_spec;
mod terminal;

use std::path::PathBuf;

use dsh_runtime::service;

pub use child::{Child, ChildOutput, PipeReader, PipeWriter};
pub use environment::{EnvironmentChanges, is_withheld};
pub use error::{CleanupError, ExecutableError, SignalError, SpawnError};
pub use output_tail::{OutputTail, TailRead};
pub use process::{ExitOutcome, ProcessId, ProcessTree};
pub use signal::Signal;
pub use spawn_spec::{OutputTarget, SpawnSpec, StdinSource};
pub use terminal::{Foreground, InputWait, LineMode, Terminal, TerminalProcess, TerminalSpec};

/// Starts and tracks child processes in one world of execution (this machine, a container, a remote box).
#[service(key = "subprocess")]
pub trait Subprocess: Send + Sync {
    /// Starts a child whose streams are pipes, collected, inherited or closed.
    ///
    /// # Errors
    /// When the specification cannot be carried out; nothing runs then.
    async fn spawn(&self, spec: SpawnSpec) -> Result<Child, SpawnError>;

    /// Starts a child on a new pseudo-terminal, which becomes its controlling terminal.
    ///
    /// # Errors
    /// When the specification cannot be carried out; nothing runs then.
    async fn open_terminal(&self, spec: TerminalSpec) -> Result<Terminal, SpawnError>;

    /// Finds a program: an absolute path is verified, a bare name is searched on `PATH`.
    ///
    /// # Errors
    /// When it is not found, is not executable, or is a relative path with a separator.
    fn executable(&self, name: &str) -> Result<PathBuf, ExecutableError>;
}
