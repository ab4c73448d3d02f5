//! What layers can break. One rule a file.

mod replaced_entry;
mod unsupported_build_default;

pub use replaced_entry::replaced_entries;
pub use unsupported_build_default::unsupported_build_default;

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[&unsupported_build_default::RULE, &replaced_entry::RULE];
