//! A session event as declared.

use syn::Ident;

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
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item.
    pub digest: u64,
}
