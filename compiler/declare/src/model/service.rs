//! A service as declared.

use syn::Ident;

use super::{Doc, Text};

/// `#[service(key = "…")]`.
#[derive(Clone, Debug)]
pub struct ServiceDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// The key by which profiles and diagnostics call it.
    pub key: Text,
    /// Whether it is a trait (`dyn Name`) or a concrete type.
    pub kind: ServiceKind,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item, see [`crate::digest`].
    pub digest: u64,
}

/// What a service's type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceKind {
    /// Injected as `Arc<dyn Name>`.
    Trait,
    /// Injected as `Arc<Name>`.
    Concrete,
}
