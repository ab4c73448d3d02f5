//! A plugin's source cannot be read.

use crate::diagnostics::{Diagnostic, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::environment(
    "DSH0402",
    "a source file of a plugin cannot be read",
    "Every file of a plugin crate is read for its declarations. Look at the file's permissions, and that it is UTF-8.",
);

/// Makes the diagnostic.
pub(crate) fn unreadable_source(file: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{file}` cannot be read: {error}"))
}
