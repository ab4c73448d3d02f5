//! A stored log on its way into a fold.

use std::sync::{Arc, Mutex, PoisonError};

use dsh_message::SessionId;
use dsh_session::SessionEvent;
use dsh_session_persistence::{Inspection, LogSource, PersistenceError, SessionPersistence};

/// Something that a log is folded into.
pub(crate) trait Fold: Default + Send + 'static {
    /// Takes the next event in.
    fn take(&mut self, event: &SessionEvent);
}

/// Folds the log of a stored session.
///
/// # Errors
/// When it cannot be read.
pub(crate) async fn fold<F: Fold>(store: &dyn SessionPersistence, id: &SessionId) -> Result<(Inspection, F), PersistenceError> {
    let fold: Arc<Mutex<F>> = Arc::default();
    let taker = Arc::clone(&fold);
    let take = Box::new(move |event| taker.lock().unwrap_or_else(PoisonError::into_inner).take(&event));
    let inspection = store.inspect(LogSource::Stored(id.clone()), take).await?;
    let folded = std::mem::take(&mut *fold.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((inspection, folded))
}
