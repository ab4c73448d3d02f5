//! Rows and groups taken for each other.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::Named;

/// `DSH0121`
pub static RULE: Rule = Rule::error("DSH0121", "a row is taken for a group, or a group for a row", include_str!("not_a_group.md"));

/// `into` names a row with a plugin.
pub fn not_a_group(into: &Named, row: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("row `{}` is not a group", into.text))
        .at(&into.place, "cannot hold rows")
        .and(&row.place, "inserted here, without `rows`")
        .help("use `before` or `after`")
}

/// A change gives a group a key of a plugin's row.
pub fn group_as_plugin(key: &Place, row: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, format!("row `{}` is a group and has no plugin", row.text))
        .at(key, "belongs to a plugin's row")
        .and(&row.place, "inserted here, with `rows`")
        .help("change a row inside the group")
}
