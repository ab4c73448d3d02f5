//! The service.

use std::path::PathBuf;

use dsh_message::SessionId;
use dsh_runtime::service;
use dsh_session::{Folding, SessionEvent, SessionHeader};

use crate::{Claim, EventVisitor, Inspection, LogSource, PersistenceError, Resumption};

/// A session as it is stored.
#[derive(Clone, Debug)]
pub struct StoredSession {
    /// Its header.
    pub header: SessionHeader,
    /// Its events, numbered from 0 without gaps.
    pub events: Vec<SessionEvent>,
}

/// Where sessions are kept. A provider writes live sessions by itself; this is how stored ones are found and read.
#[service(key = "sessionPersistence")]
pub trait SessionPersistence: Send + Sync {
    /// Reads a session so that it can be taken up again. Where its writer died, an incomplete end is cut off and the events
    /// that close what it left open are stored first; they are part of the result.
    ///
    /// # Errors
    /// [`PersistenceError::InUse`] while another process writes the session, or this one does and is in the middle of a turn;
    /// otherwise what is wrong with the store. The stored log is unchanged then.
    async fn load(&self, id: SessionId) -> Result<StoredSession, PersistenceError>;

    /// Reads a session like [`SessionPersistence::load`], but event by event into what a live session and `folding` need of its log,
    /// so that a log of any length takes little room. A store that
    /// can keeps other writers away until the claim is dropped or the session has ended.
    ///
    /// # Errors
    /// [`PersistenceError::InUse`] while the session is live, also in this process; otherwise as for loading.
    async fn resume(&self, id: SessionId, folding: Folding) -> Result<Resumption, PersistenceError> {
        let StoredSession { header, events } = self.load(id.clone()).await?;
        let mut seed = folding.begin(&header);
        events.into_iter().try_for_each(|event| seed.push(event)).map_err(|source| PersistenceError::Seed { id, source })?;
        Ok(Resumption { header, seed, claim: Claim::none() })
    }

    /// Reads a log event by event and changes nothing, whoever writes it. Where its writer died, an incomplete end is passed over, and
    /// the events that would close what is open come last.
    ///
    /// # Errors
    /// As for loading, but never [`PersistenceError::InUse`].
    async fn inspect(&self, source: LogSource, visitor: EventVisitor) -> Result<Inspection, PersistenceError>;

    /// Headers of all sessions whose header can be read, by id. Whatever else lies in the store is reported and passed over.
    ///
    /// # Errors
    /// When the store itself cannot be read.
    async fn list(&self) -> Result<Vec<SessionHeader>, PersistenceError>;

    /// Whether something is stored under the id, readable or not.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn exists(&self, id: SessionId) -> Result<bool, PersistenceError>;

    /// The file that holds the session's log; `None` as long as it has no events, and for a store without files.
    async fn locate(&self, id: SessionId) -> Option<PathBuf>;
}
