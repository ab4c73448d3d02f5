//! The pauses under way, which end with the row at the latest.

use std::time::Duration;

use dsh_runtime::CancellationToken;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// All pauses of a row. Cloning shares them.
#[derive(Clone, Default)]
pub(crate) struct Waits {
    closing: CancellationToken,
    under_way: TaskTracker,
}

/// Leave to wait; the row's end waits for its return.
pub(crate) struct Leave {
    closing: CancellationToken,
    _under_way: TaskTrackerToken,
}

/// How a pause ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// The time is over.
    Through,
    /// It was given up.
    GivenUp,
}

impl Waits {
    /// Leave for a pause; none once the row ends.
    pub(crate) fn begin(&self) -> Option<Leave> {
        let leave = Leave { closing: self.closing.clone(), _under_way: self.under_way.token() };
        (!self.closing.is_cancelled()).then_some(leave)
    }

    /// Gives all pauses up and waits until whoever paused has gone on.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        self.under_way.close();
        self.under_way.wait().await;
    }
}

impl Leave {
    /// Waits until the time is over, `signal` is cancelled, or the row ends.
    pub(crate) async fn pause(&self, time: Duration, signal: &CancellationToken) -> Waited {
        tokio::select! {
            biased;
            () = signal.cancelled() => Waited::GivenUp,
            () = self.closing.cancelled() => Waited::GivenUp,
            () = tokio::time::sleep(time) => Waited::Through,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::time::Duration;

    use dsh_runtime::CancellationToken;
    use futures_util::poll;

    use super::{Waited, Waits};

    #[tokio::test]
    async fn the_end_waits_until_whoever_paused_has_gone_on() {
        let waits = Waits::default();
        let leave = waits.begin().unwrap();
        let mut end = pin!(waits.close());
        assert!(poll!(&mut end).is_pending());
        assert_eq!(leave.pause(Duration::MAX, &CancellationToken::new()).await, Waited::GivenUp);
        assert!(poll!(&mut end).is_pending());
        drop(leave);
        end.await;
        assert!(waits.begin().is_none());
    }
}
