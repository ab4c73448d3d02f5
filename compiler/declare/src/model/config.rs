//! A config type as declared.

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
    /// Inclusive lower bound.
    pub min: Option<Number>,
    /// Inclusive upper bound.
    pub max: Option<Number>,
    /// At least one character, element or entry.
    pub non_empty: bool,
    /// At least one character that is not white space.
    pub non_blank: bool,
    /// Allowed values of a string.
    pub one_of: Vec<String>,
    /// Doc comment.
    pub doc: Doc,
}

/// A numeric bound or default as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A number with a fraction or an exponent.
    Float(f64),
}

impl Number {
    /// Whether it is smaller than another: integers are compared exactly, otherwise as `f64`.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn is_below(self, other: Self) -> bool {
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => one < other,
            (Self::Int(one), Self::Float(other)) => (one as f64) < other,
            (Self::Float(one), Self::Int(other)) => one < other as f64,
            (Self::Float(one), Self::Float(other)) => one < other,
        }
    }
}

/// A default in an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string; also the kebab-case variant of an enum.
    Text(String),
    /// `[…]`.
    List(Vec<Default>),
    /// `{}`: a nested config whose fields all have defaults, or an empty map.
    Empty,
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

/// Integer types of config fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IntType {
    U16,
    U32,
    U64,
    I64,
    Usize,
}

impl IntType {
    /// Its Rust name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::Usize => "usize",
        }
    }

    /// Its smallest and largest value; `usize` is that of the supported targets, which all have 64 bits.
    #[must_use]
    pub fn range(self) -> (i128, i128) {
        match self {
            Self::U16 => (0, i128::from(u16::MAX)),
            Self::U32 => (0, i128::from(u32::MAX)),
            Self::U64 | Self::Usize => (0, i128::from(u64::MAX)),
            Self::I64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
        }
    }
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
