//! A name in a declaration that leads to no declaration.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0411", "a name in a declaration is not imported by name", include_str!("unknown_name.md"));

/// Makes the diagnostic.
pub(crate) fn unknown_name(at: &Place, name: &str, wanted: &str, notes: Vec<String>, help: String) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&RULE, format!("`{name}` leads to no {wanted}")).at(at, format!("no {wanted} of this name is in scope"));
    notes.into_iter().fold(diagnostic, Diagnostic::note).help(help)
}
