//! Cargo does not say what the workspace holds.

use crate::diagnostics::{Diagnostic, Rule};
use crate::index::metadata::MetadataError;

/// The rule.
pub(crate) static RULE: Rule = Rule::environment("DSH0490", "`cargo metadata` failed", include_str!("metadata_refused.md"));

/// Makes the diagnostic.
pub(crate) fn metadata_refused(error: &MetadataError) -> Diagnostic {
    let found = Diagnostic::new(&RULE, "cargo cannot read the workspace").note(error.to_string());
    match error {
        MetadataError::Start { .. } => found.help("install cargo, or name it with the environment variable `CARGO`"),
        MetadataError::Refused { .. } => found.help("`cargo metadata --format-version 1` in the workspace says the same"),
        MetadataError::Io { .. } | MetadataError::Form(_) => found,
    }
}
