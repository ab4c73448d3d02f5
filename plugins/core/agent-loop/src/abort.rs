//! Giving an activity up: a signal with a cause.

use std::sync::{Arc, OnceLock};

use dsh_runtime::CancellationToken;
use dsh_session::catalogue::AbortCause;

use crate::failure::Stop;

/// The signal of one turn. Cloning shares it.
#[derive(Clone, Default)]
pub(crate) struct Abort {
    signal: CancellationToken,
    cause: Arc<OnceLock<AbortCause>>,
}

impl Abort {
    /// Gives the turn up; the first cause counts.
    pub(crate) fn trigger(&self, cause: AbortCause) {
        // A later cause is refused by the cell and the first one stays.
        let _ = self.cause.set(cause);
        self.signal.cancel();
    }

    /// A signal to hand out: it is cancelled with the turn, and whoever cancels it does not end the turn.
    pub(crate) fn signal(&self) -> CancellationToken {
        self.signal.child_token()
    }

    /// Waits until the turn is given up.
    pub(crate) async fn cancelled(&self) {
        self.signal.cancelled().await;
    }

    /// The cause, once the turn was given up.
    pub(crate) fn cause(&self) -> Option<AbortCause> {
        self.cause.get().cloned()
    }

    /// Stops what asks when the turn was given up.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        self.cause().map_or(Ok(()), |cause| Err(Stop::Aborted(cause)))
    }
}
