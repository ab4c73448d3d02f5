//! Values of configs.

use crate::schema::ItemId;

/// A value of a `#[config]` struct.
#[derive(Clone, Debug)]
pub struct StructValue {
    /// The type.
    pub item: ItemId,
    /// Rust field name and value, in declaration order.
    pub fields: Vec<(String, Value)>,
}

/// A typed config value. An expression that reads no machine was folded before this.
#[derive(Clone, Debug)]
pub enum Value {
    /// `String`
    Text(String),
    /// `bool`
    Bool(bool),
    /// Any integer type; the field's type is known to rustc.
    Int(i128),
    /// `f64`
    Float(f64),
    /// `PathBuf`
    Path(String),
    /// `SecretEnv`
    SecretEnv(String),
    /// `Option<T>`
    Option(Option<Box<Value>>),
    /// `Vec<T>`
    List(Vec<Value>),
    /// `BTreeMap<String, T>`, sorted.
    Map(Vec<(String, Value)>),
    /// A nested config struct.
    Struct(StructValue),
    /// A variant of a config enum: type and Rust variant name.
    Variant(ItemId, String),
    /// An expression evaluated when the binary starts.
    Expression {
        /// The expression's text.
        text: String,
        /// Path of the field in the row's config, such as `models[0].id`.
        field: String,
    },
}
