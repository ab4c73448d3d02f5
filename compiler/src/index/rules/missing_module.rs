//! `mod name;` leads to no file.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0403", "a module of a plugin has no file", include_str!("missing_module.md"));

/// Makes the diagnostic.
pub(crate) fn missing_module(at: &Place, name: &str, expected: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the module `{name}` has no file"))
        .at(at, "declared here")
        .help(format!("create `{expected}`, or remove the `mod` item"))
}
