//! A config type as declared.

use dsh_schema::{Bounds, Default, IntType};
use syn::{Ident, Path, Type};

use super::Doc;

/// `#[config]` on a struct or an enum.
#[derive(Clone, Debug)]
pub struct ConfigDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// Its fields or variants.
    pub body: ConfigBody,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item.
    pub digest: u64,
}

/// What a config type holds.
#[derive(Clone, Debug)]
pub enum ConfigBody {
    /// A mapping.
    Struct(Vec<FieldDecl>),
    /// One of a few words.
    Enum(Vec<VariantDecl>),
}

/// A field of a config struct.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    /// Rust name.
    pub ident: Ident,
    /// YAML key.
    pub key: String,
    /// The field's type.
    pub ty: FieldType,
    /// The type as written.
    pub syn_type: Type,
    /// Default; a field with none is required unless it is an `Option`.
    pub default: Option<Default>,
    /// What its values keep to.
    pub bounds: Bounds,
    /// Doc comment.
    pub doc: Doc,
}

/// The types that a config field may have.
#[derive(Clone, Debug)]
pub enum FieldType {
    /// `String`
    Text,
    /// `bool`
    Bool,
    /// An integer type by its Rust name.
    Int(IntType),
    /// `f64`
    Float,
    /// `PathBuf`
    Path,
    /// `SecretEnv`
    SecretEnv,
    /// `Option<T>`
    Option(Box<FieldType>),
    /// `Vec<T>`
    List(Box<FieldType>),
    /// `BTreeMap<String, T>`
    Map(Box<FieldType>),
    /// Another `#[config]` type, as written.
    Named(Path),
}

/// A variant of a config enum.
#[derive(Clone, Debug)]
pub struct VariantDecl {
    /// Rust name.
    pub ident: Ident,
    /// YAML word.
    pub key: String,
    /// Doc comment.
    pub doc: Doc,
}
