//! A plugin's source cannot be read.

use crate::diagnostics::{Diagnostic, Rule};

/// The rule.
pub(crate) static RULE: Rule =
    Rule::environment("DSH0402", "a source file of a plugin cannot be read", include_str!("unreadable_source.md"));

/// Makes the diagnostic.
pub(crate) fn unreadable_source(file: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{file}` cannot be read: {error}"))
}
