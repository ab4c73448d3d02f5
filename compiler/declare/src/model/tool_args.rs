//! A type of tool arguments as declared.

use syn::{Ident, Path, Type};

use super::{Doc, VariantDecl};

/// `#[tool_args]`.
#[derive(Clone, Debug)]
pub struct ToolArgsDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// Its fields or variants.
    pub body: ToolArgsBody,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item.
    pub digest: u64,
}

/// What a tool argument type holds.
#[derive(Clone, Debug)]
pub enum ToolArgsBody {
    /// An object.
    Struct(Vec<ArgField>),
    /// One of a few words, in snake_case.
    Enum(Vec<VariantDecl>),
}

/// A field of a tool's arguments.
#[derive(Clone, Debug)]
pub struct ArgField {
    /// Name, in Rust and on the wire.
    pub ident: Ident,
    /// The field's type.
    pub ty: ArgType,
    /// The type as written.
    pub syn_type: Type,
    /// Doc comment: the description that the model reads.
    pub doc: Doc,
}

/// The types that a tool's argument may have.
#[derive(Clone, Debug)]
pub enum ArgType {
    /// `String`
    Text,
    /// `bool`
    Bool,
    /// `u64` or `i64`
    Int,
    /// `f64`
    Float,
    /// `Option<T>`: not required.
    Option(Box<ArgType>),
    /// `Vec<T>`
    List(Box<ArgType>),
    /// `serde_json::Value`
    Any,
    /// Another `#[tool_args]` type, as written.
    Named(Path),
}
