//! What layers can break. One rule a file.

mod replaced_entry;

pub use replaced_entry::replaced_entries;

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[&replaced_entry::RULE];
