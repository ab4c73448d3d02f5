//! Makes listeners from methods; `#[on]` calls these, and so may a plugin that registers a listener in an agent's scope.

use std::sync::Arc;

use super::{Around, AwaitedEvent, EmitEvent, IntoOutcome, ListenerError, WaterfallEvent};
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

/// A listener of a waterfall.
pub fn around<E: WaterfallEvent>(listener: impl Around<E> + 'static) -> Arc<E::Listener> {
    Arc::new(listener)
}
