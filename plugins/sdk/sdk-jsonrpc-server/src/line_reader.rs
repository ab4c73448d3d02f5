//! Lines of a client.

use std::io;

use dsh_runtime::Input;
use tokio::io::AsyncBufReadExt;

/// Longest line that is kept; clients send images inline, which are a few megabytes.
const MOST_LINE_BYTES: usize = 64 * 1024 * 1024;

/// Splits input into lines.
pub(crate) struct LineReader {
    input: Input,
    line: Vec<u8>,
    /// Whether the line that is being read is too long and what comes of it is dropped.
    skipping: bool,
}

impl LineReader {
    pub(crate) fn new(input: Input) -> Self {
        Self { input, line: Vec::new(), skipping: false }
    }

    /// The next whole line without its end; `None` when input ended, also in the middle of a line. What was read so far is
    /// kept when the future is dropped.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let block = self.input.fill_buf().await?;
            if block.is_empty() {
                return Ok(None);
            }
            let end = block.iter().position(|byte| *byte == b'\n');
            let part = &block[..end.unwrap_or(block.len())];
            if !self.skipping && self.line.len() + part.len() > MOST_LINE_BYTES {
                tracing::warn!(MOST_LINE_BYTES, "a line of the client is too long and is passed over");
                (self.skipping, self.line) = (true, Vec::new());
            }
            if !self.skipping {
                self.line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.as_mut().consume(used);
            if end.is_some() && !std::mem::take(&mut self.skipping) {
                return Ok(Some(std::mem::take(&mut self.line)));
            }
        }
    }
}
