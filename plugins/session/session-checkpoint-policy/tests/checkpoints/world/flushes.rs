//! Whoever makes logs durable, as a test plans it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_message::SessionId;
use dsh_runtime::event::participant;
use dsh_runtime::{ListenerError, PluginContext, Position, implements};
use dsh_session::{SessionFlush, SessionHeader};
use dsh_session_persistence::{EventVisitor, Inspection, LogSource, PersistenceError, SessionPersistence, StoredSession};
use dsh_testkit::Sessions;

use super::Happened;

/// What a flush does; one that is not planned succeeds.
#[derive(Clone, Copy)]
pub enum Plan {
    Fail,
    /// It never ends.
    Hang,
}

/// Listens to flushes and records them. `plans` has their numbers, from 1.
pub fn listen(sessions: &Sessions, row: &PluginContext, happened: &Happened, plans: BTreeMap<usize, Plan>) {
    let (happened, count) = (Arc::clone(happened), AtomicUsize::new(0));
    let listener = participant::<SessionFlush>(move |session| {
        let number = count.fetch_add(1, Ordering::SeqCst) + 1;
        let plan = plans.get(&number).copied();
        let happened = Arc::clone(&happened);
        Box::pin(async move {
            happened.lock().unwrap().push(format!("flush {number} of {}", session.header().id));
            match plan {
                None => Ok(()),
                Some(Plan::Fail) => Err(ListenerError::new("the disk is full")),
                Some(Plan::Hang) => std::future::pending().await,
            }
        })
    });
    sessions.topics.flush.listen((Position::Row, row.row()), None, listener, row.effects());
}

/// A store that holds nothing.
pub struct NoStore;

#[implements]
impl SessionPersistence for NoStore {
    async fn load(&self, id: SessionId) -> Result<StoredSession, PersistenceError> {
        Err(PersistenceError::NotFound(id))
    }

    async fn inspect(&self, source: LogSource, _visitor: EventVisitor) -> Result<Inspection, PersistenceError> {
        Err(PersistenceError::NotFound(format!("{source:?}").into()))
    }

    async fn list(&self) -> Result<Vec<SessionHeader>, PersistenceError> {
        Ok(Vec::new())
    }

    async fn exists(&self, _id: SessionId) -> Result<bool, PersistenceError> {
        Ok(false)
    }

    async fn locate(&self, _id: SessionId) -> Option<PathBuf> {
        None
    }
}
