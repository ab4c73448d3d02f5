//! A verb that runs, as whoever called it sees it.

use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::entry::Exit;

/// Lines that may wait for the caller; then the verb waits.
const LINES: usize = 256;

/// A line of what a verb prints, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// On standard output: the answer, or records with `run --json`.
    Output(String),
    /// On standard error: what happens.
    Error(String),
}

/// A verb that was called. What it says must be taken, or it waits. Dropping this cancels the call.
pub struct Call {
    said: mpsc::Receiver<Said>,
    exit: oneshot::Receiver<Exit>,
    cancel: CancellationToken,
    _dropped: DropGuard,
}

/// A call on the side of the composition.
pub(super) struct Ordered {
    pub(super) verb: &'static str,
    pub(super) words: Vec<String>,
    pub(super) said: mpsc::Sender<Said>,
    pub(super) exit: oneshot::Sender<Exit>,
    pub(super) cancel: CancellationToken,
}

/// Both sides of a call.
pub(super) fn ordered(verb: &'static str, words: Vec<String>, cancel: CancellationToken) -> (Call, Ordered) {
    let (says, said) = mpsc::channel(LINES);
    let (exits, exit) = oneshot::channel();
    let call = Call { said, exit, cancel: cancel.clone(), _dropped: cancel.clone().drop_guard() };
    (call, Ordered { verb, words, said: says, exit: exits, cancel })
}

impl Call {
    /// The next line; none once the verb has ended.
    pub async fn said(&mut self) -> Option<Said> {
        self.said.recv().await
    }

    /// The same for a thread without an asynchronous runtime; inside of one it panics.
    pub fn said_blocking(&mut self) -> Option<Said> {
        self.said.blocking_recv()
    }

    /// Waits for the end, drops what is still said, and yields the exit status, as the binary would have it: of a call that was cancelled
    /// before it completed, [`Exit::GAVE_UP`]; of one that panicked, [`Exit::BUG`].
    pub async fn exit(mut self) -> Exit {
        while self.said.recv().await.is_some() {}
        self.exit.await.unwrap_or_else(|_| unanswered(&self.cancel))
    }

    /// The same for a thread without an asynchronous runtime; inside of one it panics.
    #[must_use]
    pub fn exit_blocking(mut self) -> Exit {
        while self.said.blocking_recv().is_some() {}
        self.exit.blocking_recv().unwrap_or_else(|_| unanswered(&self.cancel))
    }

    /// Cancels the call from anywhere. It ends soon, with its record complete.
    #[must_use]
    pub fn cancellation(&self) -> CancellationToken {
        self.cancel.clone()
    }
}

/// The status of a call that the composition's thread did not get to, or did not survive.
fn unanswered(cancel: &CancellationToken) -> Exit {
    if cancel.is_cancelled() { Exit::GAVE_UP } else { Exit::BUG }
}
