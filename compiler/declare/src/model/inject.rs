//! An inject struct as declared.

use syn::{Ident, Path, Type};

/// `#[derive(Inject)]`.
#[derive(Clone, Debug)]
pub struct InjectDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// Its fields.
    pub fields: Vec<InjectField>,
    /// Digest of the item.
    pub digest: u64,
}

/// A field of an inject struct.
#[derive(Clone, Debug)]
pub struct InjectField {
    /// Rust name.
    pub ident: Ident,
    /// What it asks for.
    pub wants: Wants,
    /// The type as written.
    pub syn_type: Type,
}

/// What an inject field asks for.
#[derive(Clone, Debug)]
pub enum Wants {
    /// `Arc<dyn Trait>` or `Arc<Type>`: the type inside the `Arc`.
    Required(Type),
    /// The same in an `Option`.
    Optional(Type),
    /// `Dispatcher<Event>`.
    Dispatch(Path),
}
