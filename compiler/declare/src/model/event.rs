//! An event as declared.

use syn::{Ident, Path, Type};

use super::{Doc, Text};

/// `#[event(…)]`.
#[derive(Clone, Debug)]
pub struct EventDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// The event's own name, such as `tools/pre-execute`.
    pub event: Text,
    /// How it is dispatched.
    pub mode: Mode,
    /// Type that listeners receive.
    pub payload: Type,
    /// Result type of a waterfall.
    pub out: Option<Type>,
    /// What a failing listener does; `Contained` for other modes than emit.
    pub failure: Failure,
    /// Function that names the payload's agent scope.
    pub scope: Option<Path>,
    /// Whether `next` may run more than once.
    pub repeatable: bool,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item.
    pub digest: u64,
}

/// How an event is dispatched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Observers, synchronous, nothing comes back.
    Emit,
    /// All listeners at once, awaited.
    Parallel,
    /// One listener after the other, awaited.
    Serial,
    /// Around-middleware with a result.
    Waterfall,
}

/// What a failing listener of an emitted event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is logged and the others run.
    Contained,
    /// It stops the dispatch and reaches the dispatcher.
    Veto,
}
