//! Two declarations of one type name in a package.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::index::ItemId;

/// The rule.
pub(crate) static RULE: Rule =
    Rule::error("DSH0407", "two declarations in a package have one type name", include_str!("duplicate_declaration.md"));

/// Makes the diagnostic.
pub(crate) fn duplicate_declaration(id: &ItemId, at: &Place, first: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{}` is declared twice in the package `{}`", id.name, id.package))
        .at(at, "declared again here")
        .and(first, "first declared here")
        .help("rename one of the two")
}
