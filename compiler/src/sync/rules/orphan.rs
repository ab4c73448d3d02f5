//! A generated file that belongs to no profile.

use crate::diagnostics::{Diagnostic, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0502", "a file below `generated/` belongs to no profile", include_str!("orphan.md"));

/// Makes the diagnostic.
pub(crate) fn orphan(path: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{path}` belongs to no profile")).help("run `dsh-build sync`, which removes it")
}
