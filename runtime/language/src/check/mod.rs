//! Reads a row's config by the schema of its plugin, expressions included.

mod bounds;
mod comparison;
mod config;
mod defaults;
mod expression;
mod folded;
mod number;
mod partial;
pub mod rules;
pub mod tokens;
mod unset;
mod value;

pub use comparison::{Kind, Mismatch, Side};
pub use dsh_expression::Fixed;

pub use config::{ConfigReader, FieldAt, PluginAt};
pub use expression::{Analysis, Expressions, Fault, FaultKind};
pub use folded::boolean;
pub use unset::Unset;
pub use value::{StructValue, Value};
