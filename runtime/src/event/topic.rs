//! One event's listeners, and the handle by which its dispatchers reach them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use futures_util::FutureExt;

use super::flow::{Base, Next};
use super::{EmitEvent, Event, ListenerError, ListensTo, ParallelEvent, Position, SerialEvent, WaterfallEvent};
use crate::effect::EffectStack;
use crate::scope::ScopeId;
use crate::{Mounted, Plugin};

struct Entry<L: ?Sized> {
    /// Tells registrations of one listener apart.
    id: u64,
    key: (Position, usize),
    scope: Option<ScopeId>,
    listener: Arc<L>,
}

impl<L: ?Sized> Clone for Entry<L> {
    fn clone(&self) -> Self {
        Self { id: self.id, key: self.key, scope: self.scope, listener: Arc::clone(&self.listener) }
    }
}

type Entries<L> = Arc<RwLock<Arc<[Entry<L>]>>>;

/// The listeners of one event. The wiring makes one per event of the composition; cloning shares it.
pub struct Topic<E: Event> {
    entries: Entries<E::Listener>,
}

/// Dispatches one event; injected into the plugins that declare that they do.
pub struct Dispatcher<E: Event> {
    entries: Entries<E::Listener>,
}

impl<E: Event> Clone for Dispatcher<E> {
    fn clone(&self) -> Self {
        Self { entries: Arc::clone(&self.entries) }
    }
}

impl<E: Event> Clone for Topic<E> {
    fn clone(&self) -> Self {
        Self { entries: Arc::clone(&self.entries) }
    }
}

impl<E: Event> Default for Topic<E> {
    fn default() -> Self {
        Self { entries: Arc::new(RwLock::new(Arc::from([]))) }
    }
}

impl<E: Event> Topic<E> {
    /// A topic without listeners.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A handle for a dispatcher.
    #[must_use]
    pub fn dispatcher(&self) -> Dispatcher<E> {
        Dispatcher { entries: Arc::clone(&self.entries) }
    }

    /// Adds a mounted plugin's listener until the plugin is torn down; nothing for a row that is off. The listener of a preset's row
    /// hears only what concerns agents that joined the preset.
    pub fn attach<'m, P>(&self, row: impl Into<Option<&'m Mounted<P>>>)
    where
        P: Plugin + ListensTo<E>,
    {
        if let Some(mounted) = row.into() {
            let cx = mounted.context();
            self.listen((P::POSITION, cx.row()), cx.scope(), P::listener(&mounted.plugin()), cx.effects());
        }
    }

    /// Adds a listener until `effects` unwind. Listeners run in the order of `key`: position, then row.
    pub fn listen(&self, key: (Position, usize), scope: Option<ScopeId>, listener: Arc<E::Listener>, effects: &EffectStack) {
        self.dispatcher().listen(key, scope, listener, effects);
    }
}

impl<E: Event> Dispatcher<E> {
    /// A handle that reaches no listener, for tests of a plugin on its own.
    #[must_use]
    pub fn detached() -> Self {
        Topic::new().dispatcher()
    }

    /// Adds a listener until `effects` unwind; with a scope it hears only what concerns that agent, or agents of that preset.
    pub fn listen(&self, key: (Position, usize), scope: Option<ScopeId>, listener: Arc<E::Listener>, effects: &EffectStack) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let entry = Entry { id, key, scope, listener };
        change(&self.entries, |list| {
            let at = list.partition_point(|held| held.key <= entry.key);
            list.insert(at, entry);
        });
        let entries = Arc::clone(&self.entries);
        effects.push_sync(move || change(&entries, |list| list.retain(|held| held.id != id)));
    }

    /// The listeners that hear a payload, taken once: a change during the dispatch does not disturb it.
    fn audience(&self, payload: &E::Payload) -> Vec<Arc<E::Listener>> {
        let snapshot = Arc::clone(&self.entries.read().unwrap_or_else(PoisonError::into_inner));
        let subject = E::scope(payload);
        let concerns = |scope: Option<ScopeId>| subject.map_or(scope.is_none(), |subject| subject.is_within(scope));
        let heard = snapshot.iter().filter(|entry| concerns(entry.scope));
        heard.map(|entry| Arc::clone(&entry.listener)).collect()
    }
}

fn change<L: ?Sized>(entries: &Entries<L>, edit: impl FnOnce(&mut Vec<Entry<L>>)) {
    let mut held = entries.write().unwrap_or_else(PoisonError::into_inner);
    let mut list = held.to_vec();
    edit(&mut list);
    *held = list.into();
}

fn guarded(run: impl FnOnce() -> Result<(), ListenerError>) -> Result<(), ListenerError> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(ListenerError::new("the listener panicked")))
}

impl<E: Event> Dispatcher<E> {
    /// Hands the payload to every observer in order.
    ///
    /// # Errors
    /// For an event with `failure = veto`, the first failure; for another, the first broken invariant, after all have run.
    pub fn emit(&self, payload: &E::Payload) -> Result<(), ListenerError>
    where
        E: EmitEvent,
    {
        let mut broken = None;
        for listener in self.audience(payload) {
            match guarded(|| listener(payload)) {
                Ok(()) => {}
                Err(error) if E::VETO => return Err(error),
                Err(error @ ListenerError::Invariant(_)) => broken = broken.or(Some(error)),
                Err(error) => tracing::warn!(event = E::NAME, %error, "a listener failed"),
            }
        }
        broken.map_or(Ok(()), Err)
    }

    /// Runs all listeners at once and waits for all. Yields how many there were.
    ///
    /// # Errors
    /// The first failure in order of registration.
    pub async fn parallel(&self, payload: &E::Payload) -> Result<usize, ListenerError>
    where
        E: ParallelEvent,
    {
        let audience = self.audience(payload);
        let runs = audience.iter().map(|listener| AssertUnwindSafe(listener(payload)).catch_unwind());
        for outcome in futures_util::future::join_all(runs).await {
            outcome.unwrap_or_else(|_| Err(ListenerError::new("the listener panicked")))?;
        }
        Ok(audience.len())
    }

    /// Runs the listeners one after the other.
    ///
    /// # Errors
    /// The first failure, which ends the chain.
    pub async fn serial(&self, payload: &E::Payload) -> Result<(), ListenerError>
    where
        E: SerialEvent,
    {
        for listener in self.audience(payload) {
            let outcome = AssertUnwindSafe(listener(payload)).catch_unwind().await;
            outcome.unwrap_or_else(|_| Err(ListenerError::new("the listener panicked")))?;
        }
        Ok(())
    }

    /// Runs the chain; `base` is what happens when every listener delegates.
    pub async fn waterfall(&self, payload: &mut E::Payload, base: &dyn Base<E>) -> E::Out
    where
        E: WaterfallEvent,
    {
        let audience = self.audience(payload);
        Next::new(&audience, base).run(payload).await.into_out()
    }
}
