//! Rules about catalogs. Each has a file that also makes its diagnostic.

pub(crate) mod unbooted_tool;
pub(crate) mod unshown;

use crate::diagnostics::Rule;

/// All of them.
pub(crate) const ALL: &[&Rule] = &[&unbooted_tool::RULE, &unshown::RULE];
