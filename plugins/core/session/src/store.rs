//! The sessions that are live in this process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_message::SessionId;
use dsh_runtime::{Clock, Dispatcher, EffectStack, Inject, Invariants, ListenerError, MountError, PluginContext, plugin, service};

use crate::invariant;
use crate::live::{Created, SessionCommitting, SessionCreated, SessionDisposed, SessionEventAppended, SessionFlush};
use crate::seed_fold::MakeFold;
use crate::session::Publication;
use crate::{Folding, NewSession, Seed, SeedError, SeedFold, Session, SessionEvent, SessionHeader};

/// What the store needs.
#[derive(Inject)]
pub struct Inject {
    /// Registry of runtime checks.
    pub invariants: Option<Arc<dyn Invariants>>,
    /// Announces sessions.
    pub created: Dispatcher<SessionCreated>,
    /// Announces their end.
    pub disposed: Dispatcher<SessionDisposed>,
    /// Lets runtime checks keep an event out.
    pub committing: Dispatcher<SessionCommitting>,
    /// Announces events.
    pub appended: Dispatcher<SessionEventAppended>,
    /// Asks for durability.
    pub flush: Dispatcher<SessionFlush>,
}

/// Why a session cannot be in the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The id is taken.
    #[error("session \"{0}\" already exists")]
    Exists(SessionId),
    /// An id is at least one character.
    #[error("a session id must not be empty")]
    EmptyId,
    /// The seed is no log.
    #[error("session \"{id}\" cannot be taken up: {source}")]
    Seed {
        /// The session.
        id: SessionId,
        /// What is wrong with it.
        source: SeedError,
    },
    /// A listener refused the session.
    #[error("session \"{id}\" was refused: {source}")]
    Refused {
        /// The session.
        id: SessionId,
        /// The listener's words.
        source: ListenerError,
    },
}

/// The registry of live sessions.
#[service(key = "sessions")]
pub struct SessionStore {
    clock: Arc<dyn Clock>,
    live: Mutex<BTreeMap<SessionId, Arc<Session>>>,
    publication: Publication,
    created: Dispatcher<SessionCreated>,
    disposed: Dispatcher<SessionDisposed>,
    flush: Dispatcher<SessionFlush>,
    folds: Arc<Mutex<Folds>>,
}

/// The folds that plugins asked for, by number.
#[derive(Default)]
struct Folds {
    asked: u64,
    make: BTreeMap<u64, MakeFold>,
}

/// Holds live sessions and announces what happens to them.
#[plugin(
    provides(SessionStore),
    invariants(
        "Turns and steps of a log are numbered without gaps and lie inside each other.",
        "What belongs to a turn or a step names the open one, and a result follows its call.",
    )
)]
impl SessionStore {
    /// Mounts it; with a registry of checks it installs those of the log's order.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        if let Some(invariants) = &inject.invariants {
            let (committing, disposed) = (inject.committing.clone(), inject.disposed.clone());
            let install = Box::new(move |cx: &PluginContext| invariant::install(cx, &committing, &disposed));
            invariants.register(env!("CARGO_PKG_NAME"), cx, install)?;
        }
        Ok(Self {
            clock: Arc::clone(cx.clock()),
            live: Mutex::default(),
            publication: Publication { committing: inject.committing, appended: inject.appended },
            created: inject.created,
            disposed: inject.disposed,
            flush: inject.flush,
            folds: Arc::default(),
        })
    }
}

impl SessionStore {
    /// Has the logs that sessions begin with folded from now on: `make` is called with the header of each. The fold is found in
    /// [`Created::seed`].
    pub fn fold_seeds<F: SeedFold>(&self, make: impl Fn(&SessionHeader) -> F + Send + Sync + 'static, effects: &EffectStack) {
        let make: MakeFold = Arc::new(move |header| Box::new(make(header)));
        let number = {
            let mut folds = lock(&self.folds);
            folds.asked += 1;
            let number = folds.asked;
            folds.make.insert(number, make);
            number
        };
        let folds = Arc::clone(&self.folds);
        effects.push_sync(move || drop(lock(&folds).make.remove(&number)));
    }

    /// What is to be folded of a log that is read for a session.
    #[must_use]
    pub fn folding(&self) -> Folding {
        Folding(lock(&self.folds).make.values().cloned().collect())
    }

    /// Makes a session that is not live yet. With a seed, even an empty one, its log starts with these events and a mark.
    ///
    /// # Errors
    /// When the seed is no log, or the id is empty.
    pub fn prepare(&self, id: SessionId, new: NewSession, seed: Option<Vec<SessionEvent>>) -> Result<Arc<Session>, StoreError> {
        let header = SessionHeader {
            id: id.clone(),
            created_at: self.clock.now(),
            cwd: new.cwd,
            parent_session: new.parent_session,
            seed_length: new.seed_length,
            origin: new.origin,
            delegation_depth: new.delegation_depth,
            agent_preset: new.agent_preset,
        };
        self.restore(header, seed)
    }

    /// Makes a session with a stored header that is not live yet.
    ///
    /// # Errors
    /// When the seed is no log, or the id is empty.
    pub fn restore(&self, header: SessionHeader, seed: Option<Vec<SessionEvent>>) -> Result<Arc<Session>, StoreError> {
        let seed = seed.map(|events| {
            let mut seed = self.folding().begin(&header).keeping();
            events.into_iter().try_for_each(|event| seed.push(event)).map(|()| seed)
        });
        let seed = seed.transpose().map_err(|source| StoreError::Seed { id: header.id.clone(), source })?;
        self.make(header, seed)
    }

    /// Makes a session that is not live yet of a stored log, which was folded while it was read.
    ///
    /// # Errors
    /// When the id is empty.
    pub fn resume(&self, header: SessionHeader, seed: Seed) -> Result<Arc<Session>, StoreError> {
        self.make(header, Some(seed))
    }

    fn make(&self, header: SessionHeader, seed: Option<Seed>) -> Result<Arc<Session>, StoreError> {
        if header.id.0.is_empty() {
            return Err(StoreError::EmptyId);
        }
        let id = header.id.clone();
        Session::new(header, Arc::clone(&self.clock), self.publication.clone(), seed).map_err(|source| StoreError::Seed { id, source })
    }

    /// Makes a prepared session live.
    ///
    /// # Errors
    /// When its id is taken.
    pub fn enter(&self, session: &Arc<Session>) -> Result<(), StoreError> {
        let id = &session.header().id;
        let mut live = self.live();
        if live.contains_key(id) {
            return Err(StoreError::Exists(id.clone()));
        }
        live.insert(id.clone(), Arc::clone(session));
        Ok(())
    }

    /// Announces a session that entered. Where a listener refuses it, it is taken out again and its end announced.
    ///
    /// # Errors
    /// The refusal.
    pub fn announce(&self, session: &Arc<Session>) -> Result<(), StoreError> {
        let (begun, backlog) = session.publish();
        let created = Created { session: Arc::clone(session), seed: begun.folds, inherited: begun.events, backlog };
        self.created.emit(&created).map_err(|source| {
            self.detach(session);
            StoreError::Refused { id: session.header().id.clone(), source }
        })
    }

    /// Takes a session out and announces its end; nothing happens when it is not there.
    pub fn detach(&self, session: &Arc<Session>) {
        let removed = {
            let mut live = self.live();
            match live.get(&session.header().id) {
                Some(held) if Arc::ptr_eq(held, session) => live.remove(&session.header().id),
                _ => None,
            }
        };
        if removed.is_some()
            && let Err(error) = self.disposed.emit(session)
        {
            tracing::error!(session = %session.header().id, %error, "a runtime check failed when a session ended");
        }
    }

    /// A live session.
    #[must_use]
    pub fn get(&self, id: &SessionId) -> Option<Arc<Session>> {
        self.live().get(id).cloned()
    }

    /// All live sessions, by id.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<Session>> {
        self.live().values().cloned().collect()
    }

    /// Makes what a session has in memory durable. Yields whether anyone does so in this composition.
    ///
    /// # Errors
    /// The first failure.
    pub async fn flush(&self, session: &Arc<Session>) -> Result<bool, ListenerError> {
        Ok(self.flush.parallel(session).await? > 0)
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<SessionId, Arc<Session>>> {
        lock(&self.live)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
