//! Two plugins in a package.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0408", "a package declares two plugins", include_str!("two_plugins.md"));

/// Makes the diagnostic.
pub(crate) fn two_plugins(package: &str, at: &Place, first: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the package `{package}` declares two plugins"))
        .at(at, "second plugin")
        .and(first, "first plugin")
        .help("move one of them to a crate of its own")
}
