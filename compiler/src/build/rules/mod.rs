//! What a build can show to be wrong. One rule a file.

mod crate_does_not_compile;
mod plugin_does_not_compile;

pub(crate) use crate_does_not_compile::crate_does_not_compile;
pub(crate) use plugin_does_not_compile::{definition_does_not_compile, plugin_does_not_compile};

use crate::diagnostics::Rule;

/// The rules of this folder, by code.
pub(crate) const ALL: &[&Rule] = &[&plugin_does_not_compile::RULE, &crate_does_not_compile::RULE];
