//! A live session: the one way to write its log.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::ThreadId;

use dsh_json::to_raw;
use dsh_message::Message;
use dsh_runtime::{Clock, Dispatcher, ScopeId};

use crate::catalogue::{EndSeed, RequestContext};
use crate::event::{EventData, SessionEvent, SurfaceData, SurfaceOp};
use crate::live::{Appended, SessionCommitting, SessionEventAppended};
use crate::seed::Begun;
use crate::state::{LogState, OpenStep};
use crate::{AppendError, EpochHeader, History, Seed, SeedError, SeedFolds, SessionHeader};

/// A live session. Its log is written by [`Session::append`] and [`Session::append_message`] and by nothing else.
pub struct Session {
    header: SessionHeader,
    clock: Arc<dyn Clock>,
    committing: Dispatcher<SessionCommitting>,
    appended: Dispatcher<SessionEventAppended>,
    state: Mutex<LogState>,
    /// What it began with, until the session is published.
    seed: Mutex<Begun>,
    /// Events appended before the session was published; `None` once it is.
    backlog: Mutex<Option<Vec<Arc<SessionEvent>>>>,
    /// Held while an event is appended and published, so that listeners hear events in log order.
    order: Mutex<()>,
    publisher: Mutex<Option<ThreadId>>,
    scope: OnceLock<ScopeId>,
    first_live_seq: u64,
}

/// The live events that a session dispatches.
#[derive(Clone)]
pub(crate) struct Publication {
    pub(crate) committing: Dispatcher<SessionCommitting>,
    pub(crate) appended: Dispatcher<SessionEventAppended>,
}

impl Session {
    pub(crate) fn new(
        header: SessionHeader,
        clock: Arc<dyn Clock>,
        publication: Publication,
        seed: Option<Seed>,
    ) -> Result<Arc<Self>, SeedError> {
        let seeded = seed.is_some();
        let (state, seed) = seed.unwrap_or_default().into_parts();
        let first_live_seq = state.length;
        let marked = !seeded || state.ends_with_seed_mark;
        let session = Arc::new(Self {
            header,
            clock,
            committing: publication.committing,
            appended: publication.appended,
            state: Mutex::new(state),
            seed: Mutex::new(seed),
            backlog: Mutex::new(Some(Vec::new())),
            order: Mutex::new(()),
            publisher: Mutex::new(None),
            scope: OnceLock::new(),
            first_live_seq,
        });
        if !marked {
            session.append(&EndSeed {}).map_err(|error| match error {
                AppendError::Unreadable(error) => error,
                other => SeedError::Data { seq: first_live_seq, kind: EndSeed::TYPE.to_owned(), reason: other.to_string() },
            })?;
        }
        Ok(session)
    }

    /// What is known of it besides its events.
    #[must_use]
    pub fn header(&self) -> &SessionHeader {
        &self.header
    }

    /// Binds the session to its agent's scope, once.
    pub fn bind_scope(&self, scope: ScopeId) {
        // A second binding is refused by the cell and keeps the first.
        let _ = self.scope.set(scope);
    }

    /// The scope of its agent.
    #[must_use]
    pub fn scope(&self) -> Option<ScopeId> {
        self.scope.get().copied()
    }

    /// Appends an event that takes no position in the model-visible list.
    ///
    /// # Errors
    /// The log is unchanged then.
    pub fn append<T: EventData>(self: &Arc<Self>, data: &T) -> Result<Arc<SessionEvent>, AppendError> {
        self.commit(data, None, None, None)
    }

    /// Appends an event with a position in the model-visible list, made of the events `sources`.
    ///
    /// # Errors
    /// The log is unchanged then.
    pub fn append_message<T: SurfaceData>(
        self: &Arc<Self>,
        data: &T,
        op: SurfaceOp,
        sources: Option<Vec<u64>>,
    ) -> Result<Arc<SessionEvent>, AppendError> {
        self.commit(data, Some(op), sources, data.message())
    }

    fn commit<T: EventData>(
        self: &Arc<Self>,
        data: &T,
        surface_op: Option<SurfaceOp>,
        source_event_seqs: Option<Vec<u64>>,
        message: Option<Arc<Message>>,
    ) -> Result<Arc<SessionEvent>, AppendError> {
        let raw = to_raw(data).map_err(|source| AppendError::Data { kind: T::TYPE, source })?;
        let _turn = self.enter(T::TYPE)?;
        let seq = self.state().length;
        let event = Arc::new(SessionEvent {
            kind: T::TYPE.into(),
            seq,
            time: self.clock.now(),
            data: raw.into(),
            source_event_seqs,
            surface_op,
            ignorable: T::IGNORABLE,
        });
        self.state().surface.check(&event)?;
        let appended = Appended { session: Arc::clone(self), event: Arc::clone(&event) };
        self.committing.emit(&appended).map_err(|source| AppendError::Refused { kind: T::TYPE, source })?;
        self.state().apply(&event, message)?;
        let published = match &mut *lock(&self.backlog) {
            Some(backlog) => {
                backlog.push(Arc::clone(&event));
                false
            }
            None => true,
        };
        if published && let Err(error) = self.appended.emit(&appended) {
            // The event is in the log; a check that fails now can only be reported.
            tracing::error!(session = %self.header.id, seq, %error, "a runtime check failed after an event was logged");
        }
        Ok(event)
    }

    /// Waits for another thread's append; refuses one from inside a publication by this thread.
    fn enter(&self, kind: &'static str) -> Result<Publishing<'_>, AppendError> {
        let me = std::thread::current().id();
        if *lock(&self.publisher) == Some(me) {
            return Err(AppendError::Reentrant { kind, session: self.header.id.to_string() });
        }
        let order = lock(&self.order);
        *lock(&self.publisher) = Some(me);
        Ok(Publishing { session: self, _order: order })
    }

    /// What plugins folded of the log that it began with; nothing once the session is published.
    #[must_use]
    pub fn seed(&self) -> Arc<SeedFolds> {
        Arc::clone(&lock(&self.seed).folds)
    }

    /// Ends the time before publication: what it began with and the events appended since, for [`crate::Created`].
    pub(crate) fn publish(&self) -> (Begun, Vec<Arc<SessionEvent>>) {
        (std::mem::take(&mut lock(&self.seed)), lock(&self.backlog).take().unwrap_or_default())
    }

    /// How many events the log has; the number of the next one.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.state().length
    }

    /// Number of the first event that this process appended after the seed.
    #[must_use]
    pub fn first_live_seq(&self) -> u64 {
        self.first_live_seq
    }

    /// The history that a model is sent now.
    #[must_use]
    pub fn history(&self) -> History {
        History::new(self.header.id.clone(), self.state().surface.messages())
    }

    /// Numbers of the events on the model-visible list, in order.
    #[must_use]
    pub fn surface_seqs(&self) -> Vec<u64> {
        self.state().surface.seqs()
    }

    /// How often a span of the model-visible list was replaced.
    #[must_use]
    pub fn replacements(&self) -> u64 {
        self.state().surface.replacements()
    }

    /// Number of the last turn that began; 0 before the first.
    #[must_use]
    pub fn last_turn(&self) -> u64 {
        self.state().last_turn
    }

    /// The open turn.
    #[must_use]
    pub fn open_turn(&self) -> Option<u64> {
        self.state().open_turn
    }

    /// The open step.
    #[must_use]
    pub fn open_step(&self) -> Option<OpenStep> {
        self.state().open_step
    }

    /// The request header in force.
    #[must_use]
    pub fn request_header(&self) -> Option<EpochHeader> {
        self.state().header.clone()
    }

    /// The request context in force.
    #[must_use]
    pub fn request_context(&self) -> Option<RequestContext> {
        self.state().context.clone()
    }

    fn state(&self) -> MutexGuard<'_, LogState> {
        lock(&self.state)
    }
}

/// An append under way.
struct Publishing<'a> {
    session: &'a Session,
    _order: MutexGuard<'a, ()>,
}

impl Drop for Publishing<'_> {
    fn drop(&mut self) {
        *lock(&self.session.publisher) = None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
