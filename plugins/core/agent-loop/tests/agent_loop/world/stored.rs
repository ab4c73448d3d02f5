//! A store of sessions in memory.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use dsh_message::SessionId;
use dsh_runtime::{Timestamp, implements};
use dsh_session::{SessionEvent, SessionHeader};
use dsh_session_persistence::{EventVisitor, Inspection, LogSource, PersistenceError, SessionPersistence, StoredSession};

use super::Gate;

/// Holds what a test puts in. It writes nothing by itself.
#[derive(Default)]
pub struct Store {
    sessions: Mutex<BTreeMap<SessionId, StoredSession>>,
    /// While there is one, loads wait at it.
    pub gate: Mutex<Option<Gate>>,
}

impl Store {
    pub fn put(&self, id: &str, events: Vec<SessionEvent>) {
        let header = SessionHeader {
            id: id.into(),
            created_at: Timestamp(0),
            cwd: None,
            parent_session: None,
            seed_length: None,
            origin: None,
            delegation_depth: 0,
            agent_preset: None,
        };
        self.put_with(header, events);
    }

    pub fn put_with(&self, header: SessionHeader, events: Vec<SessionEvent>) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.insert(header.id.clone(), StoredSession { header, events });
    }
}

#[implements]
impl SessionPersistence for Store {
    async fn load(&self, id: SessionId) -> Result<StoredSession, PersistenceError> {
        let gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(gate) = gate {
            gate.pass().await;
        }
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.get(&id).cloned().ok_or(PersistenceError::NotFound(id))
    }

    async fn inspect(&self, source: LogSource, _visitor: EventVisitor) -> Result<Inspection, PersistenceError> {
        Err(PersistenceError::NotFound(format!("{source:?}").into()))
    }

    async fn list(&self) -> Result<Vec<SessionHeader>, PersistenceError> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(sessions.values().map(|stored| stored.header.clone()).collect())
    }

    async fn exists(&self, id: SessionId) -> Result<bool, PersistenceError> {
        Ok(self.sessions.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&id))
    }

    async fn locate(&self, _id: SessionId) -> Option<PathBuf> {
        None
    }
}
