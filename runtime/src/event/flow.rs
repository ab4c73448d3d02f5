//! Waterfalls: around-middleware. A listener gets [`Next`] by value and must return a [`Flow`], which only `next` can make.

use std::sync::Arc;

use super::{RepeatableEvent, WaterfallEvent};
use crate::BoxFuture;

/// One listener of a waterfall; `#[on]` makes the adapter.
pub trait Around<E: WaterfallEvent>: Send + Sync {
    /// Runs the listener around the rest of the chain.
    fn call<'a>(&'a self, payload: &'a mut E::Payload, next: Next<'a, E>) -> BoxFuture<'a, Flow<E>>;
}

/// What the dispatcher does when every listener delegated.
pub trait Base<E: WaterfallEvent>: Send + Sync {
    /// The innermost result.
    fn call<'a>(&'a self, payload: &'a mut E::Payload) -> BoxFuture<'a, E::Out>;
}

impl<E: WaterfallEvent, F> Base<E> for F
where
    F: for<'a> Fn(&'a mut E::Payload) -> BoxFuture<'a, E::Out> + Send + Sync,
{
    fn call<'a>(&'a self, payload: &'a mut E::Payload) -> BoxFuture<'a, E::Out> {
        self(payload)
    }
}

/// The rest of a waterfall's chain.
pub struct Next<'a, E: WaterfallEvent> {
    rest: &'a [Arc<dyn Around<E>>],
    base: &'a dyn Base<E>,
}

/// The result of a waterfall's chain, made by [`Next::run`] or [`Next::decide`] and by nothing else.
#[must_use = "return the flow: it is the result of the chain"]
pub struct Flow<E: WaterfallEvent> {
    out: E::Out,
}

impl<'a, E: WaterfallEvent> Next<'a, E> {
    pub(super) fn new(rest: &'a [Arc<dyn Around<E>>], base: &'a dyn Base<E>) -> Self {
        Self { rest, base }
    }

    /// Delegates to the rest of the chain.
    pub fn run<'b>(self, payload: &'b mut E::Payload) -> BoxFuture<'b, Flow<E>>
    where
        'a: 'b,
    {
        match self.rest.split_first() {
            Some((listener, rest)) => listener.call(payload, Next { rest, base: self.base }),
            None => Box::pin(async move { Flow { out: self.base.call(payload).await } }),
        }
    }

    /// Decides without the rest of the chain.
    pub fn decide(self, out: E::Out) -> Flow<E> {
        Flow { out }
    }

    /// Another handle on the rest of the chain, for an event that may run more than once.
    #[must_use]
    pub fn again(&self) -> Self
    where
        E: RepeatableEvent,
    {
        Self { rest: self.rest, base: self.base }
    }
}

impl<E: WaterfallEvent> Flow<E> {
    /// The result so far.
    pub fn get(&self) -> &E::Out {
        &self.out
    }

    /// Rewrites the result.
    pub fn map(self, change: impl FnOnce(E::Out) -> E::Out) -> Self {
        Self { out: change(self.out) }
    }

    pub(super) fn into_out(self) -> E::Out {
        self.out
    }
}
