//! What a profile and the files that it names can break. One rule a file.

mod ambiguous_bundle;
mod crate_source;
mod language_version;
mod own_alias;
mod profile_name;
mod unknown_bundle;
mod unknown_profile;
mod variable_name;

pub use ambiguous_bundle::ambiguous_bundle;
pub use crate_source::{crate_source, named_as_for_cargo};
pub use language_version::language_version;
pub use own_alias::own_alias;
pub use profile_name::profile_name;
pub use unknown_bundle::unknown_bundle;
pub use unknown_profile::{no_profile_at, unknown_profile};
pub use variable_name::variable_name;

pub use dsh_language::load::rules::{bad_name, missing_key, repeated_bundle, repeated_file};

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub const ALL: &[&Rule] = &[
    &language_version::RULE,
    &profile_name::RULE,
    &unknown_profile::RULE,
    &unknown_bundle::RULE,
    &own_alias::RULE,
    &crate_source::RULE,
    &ambiguous_bundle::RULE,
    &variable_name::RULE,
];
