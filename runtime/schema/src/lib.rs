//! What a config may hold: the fields of config types with their types, defaults and bounds.
//!
//! The grammar of declarations reads numbers and defaults as they stand here. The compiler makes a schema of the declarations that it read, `#[config]` writes the same as constants, and both judge by it.

mod bounds;
mod field_type;
mod item_id;
mod number;
mod schemas;

pub use bounds::Bounds;
pub use field_type::{FieldType, Inner, IntType};
pub use item_id::ItemId;
pub use number::Number;
pub use schemas::Schemas;

use std::borrow::Cow;

/// A text that is a constant or was read.
pub type Text = Cow<'static, str>;

/// A config type.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigSchema {
    /// Cargo package that declares it.
    pub package: Text,
    /// Type name.
    pub name: Text,
    /// What it holds.
    pub body: ConfigBody,
}

impl ConfigSchema {
    /// Its identity.
    #[must_use]
    pub fn id(&self) -> ItemId {
        ItemId { package: self.package.to_string(), name: self.name.to_string() }
    }
}

/// What a config type holds.
#[derive(Clone, Debug, PartialEq)]
pub enum ConfigBody {
    /// A mapping.
    Struct(Cow<'static, [FieldSchema]>),
    /// One of a few words.
    Enum(Cow<'static, [VariantSchema]>),
}

/// A field of a config struct.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSchema {
    /// Rust name.
    pub ident: Text,
    /// YAML key.
    pub key: Text,
    /// The field's type.
    pub ty: FieldType,
    /// Default; a field with none is required unless it is an `Option`.
    pub default: Option<Default>,
    /// What its values keep to.
    pub bounds: Bounds,
    /// First line of the doc comment; empty when there is none.
    pub doc: Text,
}

/// A default in a declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string; also the kebab-case variant of an enum.
    Text(Text),
    /// `[…]`.
    List(Cow<'static, [Default]>),
    /// `{}`: a nested config whose fields all have defaults, or an empty map.
    Empty,
}

impl Default {
    /// How it is written, with strings as `text` writes them.
    #[must_use]
    pub fn written(&self, text: fn(&str) -> String) -> String {
        match self {
            Self::Bool(value) => value.to_string(),
            Self::Number(Number::Int(value)) => value.to_string(),
            Self::Number(Number::Float(value)) => format!("{value:?}"),
            Self::Text(value) => text(value),
            Self::List(values) => format!("[{}]", values.iter().map(|value| value.written(text)).collect::<Vec<_>>().join(", ")),
            Self::Empty => "{}".to_owned(),
        }
    }
}

/// A variant of a config enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantSchema {
    /// Rust name.
    pub ident: Text,
    /// YAML word.
    pub key: Text,
}
