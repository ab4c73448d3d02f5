//! A type that the wiring must name and cannot.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::index::ItemId;

/// The rule.
pub(crate) static RULE: Rule =
    Rule::error("DSH0416", "a type that the wiring names is not public at the root of its library", include_str!("hidden_type.md"));

/// Makes the diagnostic. `at` is the type's name where it is declared.
pub(crate) fn hidden_type(item: &ItemId, at: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{}` is not public at the root of `{}`", item.name, item.package))
        .at(at, "the wiring names this type")
        .help(format!("make it `pub`, and add `pub use …::{};` to the library's root file", item.name))
}
