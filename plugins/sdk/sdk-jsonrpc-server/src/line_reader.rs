//! Lines of a client.

use std::io;

use dsh_runtime::Input;
use tokio::io::{AsyncBufReadExt, AsyncReadExt};

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
            // One byte more than may be, which shows that the line is too long.
            let room = (MOST_LINE_BYTES + 1).saturating_sub(self.line.len()) as u64;
            (&mut self.input).take(room).read_until(b'\n', &mut self.line).await?;
            let whole = self.line.last() == Some(&b'\n');
            if !whole && self.line.len() <= MOST_LINE_BYTES {
                return Ok(None);
            }
            let mut line = std::mem::take(&mut self.line);
            if !whole {
                tracing::warn!(MOST_LINE_BYTES, "a line of the client is too long and is passed over");
                self.skipping = true;
            } else if !std::mem::take(&mut self.skipping) {
                line.pop();
                return Ok(Some(line));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineReader, MOST_LINE_BYTES};
    use tokio::io::{AsyncReadExt, BufReader};

    #[tokio::test]
    async fn a_line_that_is_too_long_is_passed_over_and_the_next_is_read() {
        let long = tokio::io::repeat(b'x').take(2 * MOST_LINE_BYTES as u64 + 10);
        let input = "first\n".as_bytes().chain(long).chain("\n\nlast\nunended".as_bytes());
        let mut lines = LineReader::new(Box::pin(BufReader::with_capacity(1024 * 1024, input)));
        for line in ["first", "", "last"] {
            assert_eq!(lines.next().await.unwrap().as_deref(), Some(line.as_bytes()));
        }
        assert_eq!(lines.next().await.unwrap(), None);
    }
}
