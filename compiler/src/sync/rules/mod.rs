//! Rules about generated files, codes `DSH05xx`. Each has a file that also makes its diagnostic.

pub(crate) mod orphan;
pub(crate) mod stale_file;

use crate::diagnostics::Rule;

/// All of them.
pub(crate) const ALL: &[&Rule] = &[&orphan::RULE, &stale_file::RULE];
