//! One checkpoint.

use std::sync::Arc;

use dsh_runtime::ListenerError;
use dsh_session::{Session, SessionStore};

/// Why a checkpoint was not reached.
#[derive(Debug)]
pub(crate) enum Missed {
    /// The log could not be made durable.
    Failed(ListenerError),
    /// Whoever waited for it gave up.
    GivenUp,
}

/// Makes the log of `session` durable, unless `given_up` ends first. A flush that nobody waits for any more is finished or
/// given up by whoever stores the log.
pub(crate) async fn reach(store: &SessionStore, session: &Arc<Session>, given_up: impl Future<Output = ()>) -> Result<(), Missed> {
    tokio::select! {
        biased;
        () = given_up => Err(Missed::GivenUp),
        flushed = store.flush(session) => flushed.map(drop).map_err(Missed::Failed),
    }
}
