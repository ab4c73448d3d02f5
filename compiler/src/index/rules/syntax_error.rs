//! A plugin's source is no Rust.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0401", "a source file of a plugin cannot be parsed", include_str!("syntax_error.md"));

/// Makes the diagnostic.
pub(crate) fn syntax_error(at: &Place, error: &syn::Error) -> Diagnostic {
    Diagnostic::new(&RULE, "this file cannot be parsed as Rust").at(at, error.to_string())
}
