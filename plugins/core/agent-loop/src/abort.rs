//! Giving an activity up: a signal with a cause.

use std::sync::{Arc, OnceLock};

use dsh_runtime::CancellationToken;
use dsh_session::catalogue::AbortCause;

use crate::failure::Stop;

/// The signal of one activity. Cloning shares it.
#[derive(Clone, Default)]
pub(crate) struct Abort {
    signal: CancellationToken,
    cause: Arc<OnceLock<AbortCause>>,
}

impl Abort {
    /// Gives the activity up; the first cause counts.
    pub(crate) fn trigger(&self, cause: AbortCause) {
        // A later cause is refused by the cell and the first one stays.
        let _ = self.cause.set(cause);
        self.signal.cancel();
    }

    pub(crate) fn signal(&self) -> &CancellationToken {
        &self.signal
    }

    /// The cause, once the activity was given up.
    pub(crate) fn cause(&self) -> Option<AbortCause> {
        if self.signal.is_cancelled() { self.cause.get().cloned() } else { None }
    }
}

impl Abort {
    /// Stops what asks when the activity was given up.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        if self.signal.is_cancelled() { Err(Stop::Aborted) } else { Ok(()) }
    }
}
