//! Making a session of another one.

use std::sync::{Arc, Mutex, PoisonError};

use dsh_message::SessionId;
use dsh_runtime::ListenerError;
use dsh_session::{SessionEvent, SessionStore, StoreError};
use dsh_session_persistence::{Fork, ForkError, LogSource, PersistenceError, SessionPersistence};

/// Why there is no fork.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ForkingError {
    #[error(transparent)]
    Read(#[from] PersistenceError),
    #[error(transparent)]
    Fork(#[from] ForkError),
    #[error(transparent)]
    Make(#[from] StoreError),
    #[error("the fork may be incomplete: {0}")]
    Flush(ListenerError),
}

/// Makes a session `new` that begins with the finished turns of `source`, see [`Fork::of`], and makes its log durable. Yields how many
/// events it has of the other one.
///
/// # Errors
/// When the other one cannot be read or has no finished turn, or the new one cannot be written.
pub(crate) async fn fork(
    store: &dyn SessionPersistence,
    sessions: &SessionStore,
    (source, at): (SessionId, Option<u64>),
    new: SessionId,
) -> Result<usize, ForkingError> {
    let events: Arc<Mutex<Vec<SessionEvent>>> = Arc::default();
    let taker = Arc::clone(&events);
    let take = Box::new(move |event| taker.lock().unwrap_or_else(PoisonError::into_inner).push(event));
    let inspection = store.inspect(LogSource::Stored(source), take).await?;
    let events = std::mem::take(&mut *events.lock().unwrap_or_else(PoisonError::into_inner));
    let Fork { session, seed } = Fork::of(&inspection.header, events, at)?;
    let inherited = seed.len();
    let fork = sessions.prepare(new, session, Some(seed))?;
    sessions.enter(&fork)?;
    sessions.announce(&fork)?;
    let flushed = sessions.flush(&fork).await;
    sessions.detach(&fork);
    flushed.map_err(ForkingError::Flush)?;
    Ok(inherited)
}
