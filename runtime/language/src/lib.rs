//! The composition language, in one place for the compiler and for binaries that take overlays: YAML with a place for every value, patch
//! lists, layers, configs judged by a schema, and diagnostics.
//!
//! Nothing here knows Rust source, crates or plugins: what a plugin's config may hold comes as a [`schema`].

pub mod check;
pub mod diagnostics;
mod digest;
pub mod document;
pub mod load;
pub mod overlay;
pub mod resolve;
mod rules;

pub use digest::{DigestedRow, Hash, composition_digest, row_digest};
pub use dsh_schema as schema;
pub use rules::rules;
