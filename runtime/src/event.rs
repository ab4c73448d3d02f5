//! Events: how plugins hear of and change what others do. The mode of an event is part of its type.

mod adapter;
mod flow;
mod topic;

pub use adapter::{around, observer, participant};
pub use flow::{Around, Base, Flow, Next};
pub use topic::{Dispatcher, Topic};

use std::sync::Arc;

use crate::invariant::InvariantError;
use crate::scope::ScopeId;
use crate::{BoxFuture, MountError};

/// An event, declared by `#[event]` on a unit struct.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an event", note = "put `#[event(name = \"…\", mode = …)]` on a unit struct")]
pub trait Event: Sized + Send + Sync + 'static {
    /// What listeners receive.
    type Payload: Send + Sync + 'static;
    /// What a listener is, by the event's mode.
    type Listener: ?Sized + Send + Sync + 'static;
    /// `package::Type`.
    const ID: &'static str;
    /// The event's own name, such as `tools/pre-execute`.
    const NAME: &'static str;
    /// Digest of its declaration.
    const DIGEST: u64;
    /// The agent scope that a payload concerns; listeners registered in another scope do not hear it.
    fn scope(_payload: &Self::Payload) -> Option<ScopeId> {
        None
    }
}

/// A listener of an emitted event.
pub type Observer<P> = dyn Fn(&P) -> Result<(), ListenerError> + Send + Sync;
/// A listener of a parallel or serial event.
pub type Participant<P> = dyn for<'a> Fn(&'a P) -> BoxFuture<'a, Result<(), ListenerError>> + Send + Sync;

/// An event dispatched with [`Dispatcher::emit`].
#[diagnostic::on_unimplemented(
    message = "the mode of `{Self}` is not `emit`",
    label = "declared with another mode",
    note = "an event with `mode = emit` is dispatched with `emit` and heard by `fn f(&self, payload: &P)`; no other event is"
)]
pub trait EmitEvent: Event<Listener = Observer<<Self as Event>::Payload>> {
    /// Whether the first failing listener stops the dispatch.
    const VETO: bool;
}

/// An event whose listeners are `async fn(&self, payload: &P)`: parallel and serial ones.
#[diagnostic::on_unimplemented(
    message = "the mode of `{Self}` is neither `parallel` nor `serial`",
    label = "declared with another mode",
    note = "an event of these modes is heard by `async fn f(&self, payload: &P) -> Result<(), ListenerError>`; no other event is"
)]
pub trait AwaitedEvent: Event<Listener = Participant<<Self as Event>::Payload>> {}

/// An event dispatched with [`Dispatcher::parallel`].
#[diagnostic::on_unimplemented(
    message = "the mode of `{Self}` is not `parallel`",
    label = "declared with another mode",
    note = "an event with `mode = parallel` is dispatched with `parallel`; no other event is"
)]
pub trait ParallelEvent: AwaitedEvent {}

/// An event dispatched with [`Dispatcher::serial`].
#[diagnostic::on_unimplemented(
    message = "the mode of `{Self}` is not `serial`",
    label = "declared with another mode",
    note = "an event with `mode = serial` is dispatched with `serial`; no other event is"
)]
pub trait SerialEvent: AwaitedEvent {}

/// An event dispatched with [`Dispatcher::waterfall`].
#[diagnostic::on_unimplemented(
    message = "the mode of `{Self}` is not `waterfall`",
    label = "declared with another mode",
    note = "an event with `mode = waterfall` is dispatched with `waterfall` and heard with a `Next`; no other event is"
)]
pub trait WaterfallEvent: Event<Listener = dyn Around<Self>> {
    /// What the waterfall yields.
    type Out: Send + 'static;
}

/// Marks waterfalls whose `next` may run more than once.
#[diagnostic::on_unimplemented(
    message = "`next` of `{Self}` runs once",
    label = "not declared `repeatable`",
    note = "delegate with `next.run(…)`, once; an event whose chain may run again is declared with `repeatable`"
)]
pub trait RepeatableEvent: WaterfallEvent {}

/// Why a listener failed.
#[derive(Debug, thiserror::Error)]
pub enum ListenerError {
    /// A runtime check found its rule broken; it reaches the dispatcher in every mode.
    #[error(transparent)]
    Invariant(#[from] InvariantError),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

impl ListenerError {
    /// A failure in words.
    pub fn new(message: impl std::fmt::Display) -> Self {
        Self::Failed(message.to_string())
    }
}

/// Lets the observer of an emitted event return nothing or a result.
#[diagnostic::on_unimplemented(message = "an observer cannot return `{Self}`", note = "return nothing or `Result<(), ListenerError>`")]
pub trait IntoOutcome {
    /// The result that the dispatcher sees.
    fn into_outcome(self) -> Result<(), ListenerError>;
}

impl IntoOutcome for () {
    fn into_outcome(self) -> Result<(), ListenerError> {
        Ok(())
    }
}

impl IntoOutcome for Result<(), ListenerError> {
    fn into_outcome(self) -> Result<(), ListenerError> {
        self
    }
}

/// Where a listener stands among the listeners of its event; inside a position, row order decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    /// Before those that ask for nothing.
    First,
    /// In row order.
    Row,
    /// After those that ask for nothing.
    Last,
}

/// A plugin that listens to an event; `#[on(E)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not listen to `{E}`",
    note = "mark a method of its `#[plugin]` block with `#[on(…)]`"
)]
pub trait ListensTo<E: Event>: Sized {
    /// Its place.
    const POSITION: Position;
    /// The listener, holding the plugin.
    fn listener(plugin: &Arc<Self>) -> Arc<E::Listener>;
}

impl From<ListenerError> for MountError {
    fn from(error: ListenerError) -> Self {
        Self::new(error)
    }
}

impl From<ListenerError> for String {
    fn from(error: ListenerError) -> Self {
        error.to_string()
    }
}
