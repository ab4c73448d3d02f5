//! A declaration that breaks the grammar.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0405", "a declaration breaks the grammar", include_str!("declaration.md"));

/// Makes the diagnostic.
pub(crate) fn declaration(at: &Place, error: &syn::Error) -> Diagnostic {
    Diagnostic::new(&RULE, error.to_string()).at(at, "in this declaration")
}
