//! A terminal in the hands of a program.

use dsh_runtime::BoxFuture;
use dsh_subprocess::{ExitOutcome, Foreground, ProcessId, Signal};

use crate::TerminalError;

/// A session's terminal without line model: bytes in, bytes out.
pub trait RawTerminal: Send {
    /// Types bytes. It waits while the session takes none.
    fn write(&mut self, bytes: Vec<u8>) -> BoxFuture<'_, Result<(), TerminalError>>;

    /// The next piece of output, as the programs wrote it; `None` when the session has ended. Dropping the future loses nothing. A
    /// caller that does not read makes the programs wait.
    fn read(&mut self) -> BoxFuture<'_, Option<Vec<u8>>>;

    /// The process that leads the session.
    fn leader(&self) -> ProcessId;

    /// The foreground; `None` when there is none, as after the leader's end.
    fn foreground(&self) -> Option<Foreground>;

    /// Signals the foreground group and says which it was.
    ///
    /// # Errors
    /// When there is none or the signal is refused.
    fn signal(&self, signal: Signal) -> Result<ProcessId, TerminalError>;

    /// Waits for the leader's end.
    fn exited(&self) -> BoxFuture<'_, ExitOutcome>;
}
