//! A session event as declared.

use syn::{Ident, Type};

use super::{Doc, Text};

/// `#[session_event(…)]`.
#[derive(Clone, Debug)]
pub struct SessionEventDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// The event's type in the log, such as `turn/start`.
    pub event: Text,
    /// Whether it takes a position in the model-visible list.
    pub surface: bool,
    /// Whether a reader that does not know it may pass over it.
    pub ignorable: bool,
    /// Its members in the log, in source order.
    pub fields: Vec<SessionField>,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item.
    pub digest: u64,
}

/// A member of an event's data, as serde writes it.
#[derive(Clone, Debug)]
pub struct SessionField {
    /// Its key in the log; `None` where the data is this value itself, or its members stand among those of the event.
    pub key: Option<String>,
    /// Its type, an `Option` taken off.
    pub ty: Type,
    /// Whether a record may lack it.
    pub optional: bool,
    /// Doc comment.
    pub doc: Doc,
}
