//! What a config type is for an overlay.

use dsh_language::schema::{ConfigSchema, Schemas};

use super::ConfigMeta;
use super::from_value::FromValue;

/// A config type that an overlay may give; `#[config]` implements it.
pub trait Documented: ConfigMeta + FromValue {
    /// Its fields or words, as the compiler knows them.
    const SCHEMA: ConfigSchema;
    /// Adds the type and those in it.
    fn add_to(schemas: &mut Schemas);
}
