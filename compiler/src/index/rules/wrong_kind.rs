//! A name that leads to a declaration of another kind.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::index::ItemId;

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0413", "a name in a declaration is one of another kind", include_str!("wrong_kind.md"));

/// Makes the diagnostic; `found` and `wanted` are kinds with their article.
pub(crate) fn wrong_kind(at: &Place, id: &ItemId, found: &str, wanted: &str, help: Option<String>) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{}` is {found}", id.name)).at(at, format!("expected {wanted}")).help_if(help)
}
