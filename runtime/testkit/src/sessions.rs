//! A session store to test with.

use std::sync::Arc;

use dsh_runtime::{NoConfig, Topic};
use dsh_session::{Inject, SessionCommitting, SessionCreated, SessionDisposed, SessionEventAppended, SessionFlush, SessionStore};

use crate::{EveryInvariant, Harness};

/// The events of sessions; a test listens here.
#[derive(Default)]
pub struct SessionTopics {
    /// `session/created`
    pub created: Topic<SessionCreated>,
    /// `session/disposed`
    pub disposed: Topic<SessionDisposed>,
    /// `session/committing`
    pub committing: Topic<SessionCommitting>,
    /// `session/event`
    pub appended: Topic<SessionEventAppended>,
    /// `session/flush`
    pub flush: Topic<SessionFlush>,
}

/// A session store with its events and all runtime checks.
pub struct Sessions {
    /// The store.
    pub store: Arc<SessionStore>,
    /// Its events.
    pub topics: SessionTopics,
}

impl Harness {
    /// The harness's session store, mounted as the row `sessions` at the first call.
    ///
    /// # Panics
    /// When it does not mount.
    pub async fn sessions(&mut self) -> Arc<Sessions> {
        if let Some(sessions) = &self.sessions {
            return Arc::clone(sessions);
        }
        let topics = SessionTopics::default();
        let inject = Inject {
            invariants: Some(Arc::new(EveryInvariant)),
            created: topics.created.dispatcher(),
            disposed: topics.disposed.dispatcher(),
            committing: topics.committing.dispatcher(),
            appended: topics.appended.dispatcher(),
            flush: topics.flush.dispatcher(),
        };
        let store = self.mount::<SessionStore>("sessions", NoConfig {}, inject).await.plugin();
        let sessions = Arc::new(Sessions { store, topics });
        self.sessions = Some(Arc::clone(&sessions));
        sessions
    }
}
