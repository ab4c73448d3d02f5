//! Children on a pseudo-terminal.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dsh_runtime::{BoxFuture, CancellationToken};

use crate::{EnvironmentChanges, PipeReader, ProcessId, ProcessTree, Signal, SignalError};

/// A child on a new terminal. `TERM` is `dumb` unless the changes say otherwise.
#[derive(Clone, Debug)]
pub struct TerminalSpec {
    /// Program and arguments.
    pub argv: Vec<OsString>,
    /// Working folder.
    pub cwd: PathBuf,
    /// Changes to the environment that children inherit.
    pub environment: EnvironmentChanges,
    /// Height in lines.
    pub rows: u16,
    /// Width in characters.
    pub cols: u16,
    /// How input is treated on its way to the child.
    pub line_mode: LineMode,
    /// Time between the polite request to end and the kill.
    pub grace: Duration,
    /// Cancelled before: nothing starts. Cancelled later: the tree is terminated.
    pub cancel: CancellationToken,
}

/// How a terminal treats input. Output is never changed on its way, and control characters raise signals in either mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineMode {
    /// As for a person: what is typed is echoed, and a program gets whole lines.
    Edited,
    /// As for a program: no echo, and input arrives as it is written. A line may have any length (in the other mode the kernel
    /// cuts one off at 4,096 bytes).
    Direct,
}

/// What [`crate::Subprocess::open_terminal`] gives.
pub struct Terminal {
    /// The process, what comes from it, and its terminal.
    pub process: Arc<dyn TerminalProcess>,
    /// What is written to the terminal; it ends with the leader. A reader that falls behind makes writers wait.
    pub output: PipeReader,
}

/// The terminal side of a child.
pub trait TerminalProcess: ProcessTree {
    /// Types bytes. It waits while the terminal's input buffer is full.
    fn write(&self, bytes: Vec<u8>) -> BoxFuture<'_, io::Result<()>>;

    /// Who owns the terminal's foreground, and whether it waits for input.
    ///
    /// # Errors
    /// When the terminal has no foreground group, as after the leader's end.
    fn inspect_foreground(&self) -> io::Result<Foreground>;

    /// Signals the foreground group and says which it was.
    ///
    /// # Errors
    /// When there is none, and for [`Signal::KILL`] when the leader's own group is in the foreground.
    fn signal_foreground(&self, signal: Signal) -> Result<ProcessId, SignalError>;
}

/// The foreground of a terminal at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreground {
    /// The process group.
    pub process_group: ProcessId,
    /// Whether it waits for terminal input.
    pub input: InputWait,
}

/// Whether a foreground group waits for terminal input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputWait {
    /// A thread of it is blocked on the terminal's input, and there is none.
    Proven,
    /// None of its threads is.
    No,
    /// The system does not tell.
    Unknown,
}
