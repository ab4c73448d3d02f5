//! Carries what a session prints to whoever wants it, so that its programs never wait for a reader that is not there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_subprocess::{PipeReader, TerminalProcess};
use dsh_terminal::{ScrollbackLimits, SessionStatus};
use tokio::io::AsyncReadExt;
use tokio::sync::{mpsc, watch};

use crate::line_model::LineModel;

/// Bytes read at once.
const READ_BYTES: usize = 64 * 1024;
/// Pieces that may wait for an attached reader; with the size of a piece this bounds what is held for one that is slow.
const WAITING_PIECES: usize = 4;

/// What happened so far, for those who wait for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that were printed.
    pub printed: u64,
    /// Whether the session runs.
    pub status: SessionStatus,
}

/// What a session printed and who reads it.
pub struct Printed {
    model: Mutex<LineModel>,
    reader: Mutex<Option<mpsc::Sender<Vec<u8>>>>,
    progress: watch::Sender<Progress>,
}

impl Printed {
    /// Nothing printed.
    pub fn new(limits: ScrollbackLimits) -> Self {
        let progress = watch::Sender::new(Progress { printed: 0, status: SessionStatus::Running });
        Self { model: Mutex::new(LineModel::new(limits)), reader: Mutex::default(), progress }
    }

    /// The lines.
    pub fn model(&self) -> MutexGuard<'_, LineModel> {
        self.model.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows what happens.
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Sends output to a new reader, in place of the lines, until it is dropped.
    pub fn attach(&self) -> mpsc::Receiver<Vec<u8>> {
        let (sender, receiver) = mpsc::channel(WAITING_PIECES);
        let running = self.progress.borrow().status == SessionStatus::Running;
        // After the end nothing would ever close the channel.
        *self.reader() = running.then_some(sender);
        receiver
    }

    fn reader(&self) -> MutexGuard<'_, Option<mpsc::Sender<Vec<u8>>>> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn print(&self, output: &[u8]) {
        let reader = self.reader().clone();
        let delivered = match &reader {
            Some(reader) => reader.send(output.to_vec()).await.is_ok(),
            None => false,
        };
        if !delivered {
            if let Some(gone) = reader {
                // Only the one that did not take it: another may have come meanwhile.
                self.reader().take_if(|current| current.same_channel(&gone));
            }
            self.model().push(output);
        }
        self.progress.send_modify(|progress| progress.printed += output.len() as u64);
    }
}

/// Reads a session's output to its end, then reports how it ended.
pub async fn run(printed: Arc<Printed>, process: Arc<dyn TerminalProcess>, mut output: PipeReader) {
    let mut buffer = vec![0; READ_BYTES];
    // A read error ends it too: nothing more can come.
    while let Ok(count @ 1..) = output.read(&mut buffer).await {
        printed.print(&buffer[..count]).await;
    }
    let outcome = process.exited().await;
    printed.progress.send_modify(|progress| progress.status = SessionStatus::Exited(outcome));
    printed.reader().take();
}
