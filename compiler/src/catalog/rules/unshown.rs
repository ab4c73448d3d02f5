//! A declaration that no catalog shows.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::index::ItemId;

/// The rule.
pub(crate) static RULE: Rule = Rule::error("DSH0506", "no catalog shows a declaration", include_str!("unshown.md"));

/// Makes the diagnostic; `kind` is what the declaration is, with its article.
pub(crate) fn unshown(id: &ItemId, kind: &str, place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("no catalog shows `{}`", id.name))
        .at(place, format!("{kind} that no plugin uses"))
        .help("have a plugin use it, or remove the attribute")
}
