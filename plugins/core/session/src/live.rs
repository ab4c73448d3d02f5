//! Live events of sessions.

use std::sync::Arc;

use dsh_runtime::{ScopeId, event};

use crate::{SeedFolds, Session, SessionEvent};

/// A session was published.
pub struct Created {
    /// The session.
    pub session: Arc<Session>,
    /// What plugins folded of the log that it began with.
    pub seed: Arc<SeedFolds>,
    /// The events that it was prepared with and that no store holds yet; none of a stored log.
    pub inherited: Vec<Arc<SessionEvent>>,
    /// Events that were appended before it was published, and that are announced nowhere else.
    pub backlog: Vec<Arc<SessionEvent>>,
}

/// An event of a session.
pub struct Appended {
    /// The session.
    pub session: Arc<Session>,
    /// The event.
    pub event: Arc<SessionEvent>,
}

/// A session is being published; a failing listener undoes the creation.
#[event(name = "session/created", mode = emit, payload = Created, failure = veto, scope = created_scope)]
pub struct SessionCreated;

/// A session was taken out of the store.
#[event(name = "session/disposed", mode = emit, payload = Arc<Session>, scope = session_scope)]
pub struct SessionDisposed;

/// An event is about to enter a log; a failing listener keeps it out. For runtime checks.
#[event(name = "session/committing", mode = emit, payload = Appended, failure = veto, scope = appended_scope)]
pub struct SessionCommitting;

/// An event entered a log.
#[event(name = "session/event", mode = emit, payload = Appended, scope = appended_scope)]
pub struct SessionEventAppended;

/// What a session has in memory is to be made durable.
#[event(name = "session/flush", mode = parallel, payload = Arc<Session>, scope = session_scope)]
pub struct SessionFlush;

fn created_scope(created: &Created) -> Option<ScopeId> {
    created.session.scope()
}

fn appended_scope(appended: &Appended) -> Option<ScopeId> {
    appended.session.scope()
}

fn session_scope(session: &Arc<Session>) -> Option<ScopeId> {
    session.scope()
}
