//! The types that a config field may have.

use std::ops::Deref;

use super::Text;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldType {
    /// `String`
    Text,
    /// `bool`
    Bool,
    /// An integer type.
    Int(IntType),
    /// `f64`
    Float,
    /// `PathBuf`
    Path,
    /// `SecretEnv`
    SecretEnv,
    /// `Option<T>`
    Option(Inner),
    /// `Vec<T>`
    List(Inner),
    /// `BTreeMap<String, T>`
    Map(Inner),
    /// Another config type of the same package, by its name.
    Named(Text),
}

impl FieldType {
    /// Whether a value of it names a secret, or values inside it do.
    #[must_use]
    pub fn names_secret(&self) -> bool {
        match self {
            Self::SecretEnv => true,
            Self::Option(inner) | Self::List(inner) | Self::Map(inner) => inner.names_secret(),
            _ => false,
        }
    }
}

/// The type of what another holds: one that was read, or a part of a constant.
#[derive(Clone, Debug)]
pub enum Inner {
    /// Part of a constant.
    Constant(&'static FieldType),
    /// Read.
    Read(Box<FieldType>),
}

impl Deref for Inner {
    type Target = FieldType;

    fn deref(&self) -> &FieldType {
        match self {
            Self::Constant(ty) => ty,
            Self::Read(ty) => ty,
        }
    }
}

impl PartialEq for Inner {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
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
