//! The JSON Schema subset of tools' arguments: checked when a tool is registered, applied when it is called.

mod check;
mod validate;
mod violation;

pub use check::SchemaProblem;
pub(crate) use check::check;
pub(crate) use validate::validate;
pub(crate) use violation::Violation;

/// Names of the JSON types, as `type` spells them.
const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];
