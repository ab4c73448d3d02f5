//! `isolate` on a row that holds no others.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::Named;

/// `DSH0222`
pub static RULE: Rule = Rule::error("DSH0222", "`isolate` is given to a row that is no group", include_str!("isolate_without_group.md"));

/// `key` is the `isolate` of `row`.
pub fn isolate_without_group(key: &Place, row: &Named) -> Diagnostic {
    let Named { text: id, place } = row;
    Diagnostic::new(&RULE, format!("row `{id}` is no group and cannot isolate services"))
        .at(key, "would have no effect")
        .and(place, "a row with a plugin")
        .help("put the row and those that are to use its services into a group, and `isolate` there")
}
