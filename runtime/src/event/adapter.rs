//! Makes listeners from methods; `#[on]` calls these, and so may a plugin that registers a listener in an agent's scope.

use std::sync::Arc;

use super::{Around, AwaitedEvent, EmitEvent, Flow, IntoOutcome, ListenerError, Next, WaterfallEvent};
use crate::BoxFuture;

/// A listener of an emitted event.
pub fn observer<E, O>(listener: impl Fn(&E::Payload) -> O + Send + Sync + 'static) -> Arc<E::Listener>
where
    E: EmitEvent,
    O: IntoOutcome,
{
    Arc::new(move |payload: &E::Payload| listener(payload).into_outcome())
}

/// A listener of a parallel or serial event.
pub fn participant<E: AwaitedEvent>(
    listener: impl for<'a> Fn(&'a E::Payload) -> BoxFuture<'a, Result<(), ListenerError>> + Send + Sync + 'static,
) -> Arc<E::Listener> {
    Arc::new(listener)
}

/// A listener of a waterfall: `call` with `state`, which for a plugin's method is the plugin.
pub fn around<E, S>(
    state: S,
    call: impl for<'a> Fn(&'a S, &'a mut E::Payload, Next<'a, E>) -> BoxFuture<'a, Flow<E>> + Send + Sync + 'static,
) -> Arc<E::Listener>
where
    E: WaterfallEvent,
    S: Send + Sync + 'static,
{
    Arc::new(WithState { state, call })
}

struct WithState<S, F> {
    state: S,
    call: F,
}

impl<E, S, F> Around<E> for WithState<S, F>
where
    E: WaterfallEvent,
    S: Send + Sync,
    F: for<'a> Fn(&'a S, &'a mut E::Payload, Next<'a, E>) -> BoxFuture<'a, Flow<E>> + Send + Sync,
{
    fn call<'a>(&'a self, payload: &'a mut E::Payload, next: Next<'a, E>) -> BoxFuture<'a, Flow<E>> {
        (self.call)(&self.state, payload, next)
    }
}
