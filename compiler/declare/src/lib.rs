//! The grammar of declarations: what a plugin states of itself in attributes, read once for the macros and the compiler.
//!
//! Each kind of declaration has a module with one `parse` function. It takes the attribute's tokens and the item below it
//! and yields a type of [`model`] together with every problem of the item. The macros expand the result; the compiler finds
//! the same items with [`source::declarations`] and resolves it. The grammar itself is described in `docs/declarations.md`.
//!
//! Nothing here looks at more than one item: names stay as written, and whether they resolve is for the compiler to
//! predict and for rustc to confirm.

mod arguments;
mod bounds;
pub mod config;
mod defaults;
pub mod digest;
pub mod event;
mod field_type;
mod hidden;
pub mod inject;
mod item;
mod listener;
pub mod model;
mod mount;
pub mod names;
pub mod plugin;
mod problems;
mod prompt;
mod reach;
pub mod service;
pub mod session_event;
mod session_field;
pub mod skim;
pub mod source;
mod source_digest;
mod tool;
pub mod tool_args;
mod verb;

pub use item::{is_cfg, is_method_attribute, without_method_attributes};
pub use problems::{Parsed, Problems};
pub use source_digest::source_digest;
