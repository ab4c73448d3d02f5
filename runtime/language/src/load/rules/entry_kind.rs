//! An entry that neither inserts nor changes.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::node::Node;

/// `DSH0110`
pub static RULE: Rule = Rule::error("DSH0110", "an entry of a patch list is neither an insert nor a change", include_str!("entry_kind.md"));

/// The entry has neither `insert` nor `id`.
pub fn neither_insert_nor_id(entry: &Node) -> Diagnostic {
    Diagnostic::new(&RULE, "an entry needs `insert` or `id`")
        .at(&entry.place, "neither `insert` nor `id` here")
        .help("add rows with `insert: [{id: …, plugin: …}]`, change a row with `id: …` and the keys to replace")
        .help("take a row out with `{id: …, disabled: true}`")
}

/// The entry has both.
pub fn insert_and_id(insert: &Place, id: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "an entry has both `insert` and `id`")
        .at(id, "changes a row")
        .and(insert, "inserts rows")
        .help("write two entries; to insert into a group, name it with `into` instead of `id`")
}
