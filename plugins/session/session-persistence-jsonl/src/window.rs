//! The windows in which waiting pieces of streams must be written. All are equally long, so the first that opens ends first.

use std::sync::{Arc, Weak};
use std::time::Duration;

use dsh_runtime::CancellationToken;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until};

use crate::session_log::SessionLog;

/// Opens windows. At most one is open per log, so the queue is never longer than there are live sessions.
pub(crate) struct Windows {
    length: Duration,
    queue: UnboundedSender<(Instant, Weak<SessionLog>)>,
}

/// The windows that are open.
pub(crate) struct OpenWindows(UnboundedReceiver<(Instant, Weak<SessionLog>)>);

impl Windows {
    /// Windows of a length, and the task's end of them.
    pub(crate) fn new(length: Duration) -> (Self, OpenWindows) {
        let (queue, open) = unbounded_channel();
        (Self { length, queue }, OpenWindows(open))
    }

    /// Opens a window for a log.
    pub(crate) fn open(&self, log: &Arc<SessionLog>) {
        // Without a receiver the store is being torn down, which writes every log.
        let _ = self.queue.send((Instant::now() + self.length, Arc::downgrade(log)));
    }
}

impl OpenWindows {
    /// Ends each window in time, until `stop`.
    pub(crate) async fn run(mut self, stop: CancellationToken) {
        loop {
            let next = tokio::select! {
                next = self.0.recv() => next,
                () = stop.cancelled() => return,
            };
            let Some((end, log)) = next else { return };
            tokio::select! {
                () = sleep_until(end) => {}
                () = stop.cancelled() => return,
            }
            if let Some(log) = log.upgrade() {
                log.end_window();
            }
        }
    }
}
