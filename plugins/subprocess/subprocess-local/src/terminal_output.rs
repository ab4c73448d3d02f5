//! Reading the outer end of a terminal.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use dsh_runtime::BoxFuture;
use dsh_subprocess::ProcessTree;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, ReadBuf};

use crate::local_tree::LocalTree;

/// Bytes read after the leader's end. The kernel holds less between the two ends of a terminal, so all that the leader wrote is
/// among them, and a process that goes on writing does not put the end off for ever.
const LAST_BYTES: usize = 256 * 1024;

/// What is written to a terminal. It ends with the leader, also when other processes keep the terminal open.
pub struct TerminalOutput {
    outer: Arc<AsyncFd<OwnedFd>>,
    leader: BoxFuture<'static, ()>,
    /// Bytes that may still be read, once the leader has ended.
    last: Option<usize>,
}

/// What one attempt to read gave.
enum Attempt {
    Some,
    NothingNow,
    End,
}

impl TerminalOutput {
    /// Reads `outer`, on which `tree` runs.
    pub fn new(outer: Arc<AsyncFd<OwnedFd>>, tree: Arc<LocalTree>) -> Self {
        let leader = Box::pin(async move {
            tree.exited().await;
        });
        Self { outer, leader, last: None }
    }

    /// Reads what there is into the buffer. The kernel hands over at most one page at a time.
    fn attempt(outer: &OwnedFd, buffer: &mut ReadBuf<'_>) -> io::Result<Attempt> {
        loop {
            match rustix::io::read(outer, buffer.initialize_unfilled()) {
                Ok(0) => return Ok(Attempt::End),
                Ok(count) => {
                    buffer.advance(count);
                    return Ok(Attempt::Some);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(Attempt::NothingNow),
                // No inner end is open any more.
                Err(Errno::IO) => return Ok(Attempt::End),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Reads without waiting: a read makes the kernel pass on what is still on its way from the other end.
    fn read_last(&mut self, left: usize, buffer: &mut ReadBuf<'_>) -> io::Result<()> {
        let before = buffer.filled().len();
        while buffer.remaining() > 0 && buffer.filled().len() - before < left {
            match Self::attempt(self.outer.get_ref(), buffer)? {
                Attempt::Some => {}
                Attempt::NothingNow | Attempt::End => break,
            }
        }
        self.last = Some(left.saturating_sub(buffer.filled().len() - before));
        Ok(())
    }
}

impl AsyncRead for TerminalOutput {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.last.is_none() && self.leader.as_mut().poll(cx).is_ready() {
            self.last = Some(LAST_BYTES);
        }
        if let Some(left) = self.last {
            return Poll::Ready(self.read_last(left, buffer));
        }
        let before = buffer.filled().len();
        while buffer.remaining() > 0 {
            let mut ready = match self.outer.poll_read_ready(cx) {
                Poll::Ready(ready) => ready?,
                Poll::Pending if buffer.filled().len() > before => break,
                Poll::Pending => return Poll::Pending,
            };
            match Self::attempt(self.outer.get_ref(), buffer)? {
                Attempt::Some => {}
                Attempt::NothingNow => ready.clear_ready(),
                Attempt::End => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
