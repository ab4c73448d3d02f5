//! What layers can break. One rule a file.

mod replaced_entry;
mod unsupported_build_default;
mod unsupported_crate;
mod unsupported_group;
mod unsupported_isolate;
mod unsupported_preset;

pub use replaced_entry::replaced_entries;
pub use unsupported_build_default::unsupported_build_default;
pub use unsupported_crate::unsupported_crate;
pub use unsupported_group::unsupported_group;
pub use unsupported_isolate::unsupported_isolate;
pub use unsupported_preset::unsupported_preset;

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[
    &unsupported_group::RULE,
    &unsupported_isolate::RULE,
    &unsupported_preset::RULE,
    &unsupported_crate::RULE,
    &unsupported_build_default::RULE,
    &replaced_entry::RULE,
];
