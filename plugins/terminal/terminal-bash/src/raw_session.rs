//! A session in the hands of a program.

use std::sync::Arc;

use dsh_runtime::BoxFuture;
use dsh_subprocess::{ExitOutcome, Foreground, ProcessId, Signal, TerminalProcess};
use dsh_terminal::{RawTerminal, TerminalError};
use tokio::sync::mpsc;

/// The terminal of a session; dropping it gives the output back to the session's lines.
pub struct RawSession {
    process: Arc<dyn TerminalProcess>,
    output: mpsc::Receiver<Vec<u8>>,
}

impl RawSession {
    /// Takes `output` of `process`.
    pub fn new(process: Arc<dyn TerminalProcess>, output: mpsc::Receiver<Vec<u8>>) -> Self {
        Self { process, output }
    }
}

impl RawTerminal for RawSession {
    fn write(&mut self, bytes: Vec<u8>) -> BoxFuture<'_, Result<(), TerminalError>> {
        Box::pin(async move { self.process.write(bytes).await.map_err(TerminalError::Input) })
    }

    fn read(&mut self) -> BoxFuture<'_, Option<Vec<u8>>> {
        Box::pin(self.output.recv())
    }

    fn leader(&self) -> ProcessId {
        self.process.leader()
    }

    fn foreground(&self) -> Option<Foreground> {
        self.process.inspect_foreground().ok()
    }

    fn signal(&self, signal: Signal) -> Result<ProcessId, TerminalError> {
        Ok(self.process.signal_foreground(signal)?)
    }

    fn exited(&self) -> BoxFuture<'_, ExitOutcome> {
        self.process.exited()
    }
}
