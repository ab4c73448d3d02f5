//! Writes frames to the client.

use std::io;
use std::sync::Arc;

use dsh_runtime::Output;
use tokio::io::AsyncWriteExt;

use crate::outbox::Outbox;

/// The one writer of the output.
pub(crate) struct Writer {
    output: Output,
    outbox: Arc<Outbox>,
    /// Frames taken out of the outbox.
    frames: Vec<u8>,
    /// How many bytes of them are written.
    written: usize,
}

impl Writer {
    pub(crate) fn new(output: Output, outbox: Arc<Outbox>) -> Self {
        Self { output, outbox, frames: Vec::new(), written: 0 }
    }

    /// Writes what comes, until writing fails. No byte is written twice or left out when the future is dropped and another made.
    pub(crate) async fn run(&mut self) -> io::Error {
        loop {
            if let Err(error) = self.write().await {
                return error;
            }
            self.frames = self.outbox.next().await;
            self.written = 0;
        }
    }

    /// Writes all that waits now.
    pub(crate) async fn drain(&mut self) -> io::Result<()> {
        self.write().await?;
        (self.frames, self.written) = (self.outbox.take(), 0);
        self.write().await
    }

    async fn write(&mut self) -> io::Result<()> {
        while self.written < self.frames.len() {
            match self.output.write(&self.frames[self.written..]).await? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                count => self.written += count,
            }
        }
        self.output.flush().await
    }
}
