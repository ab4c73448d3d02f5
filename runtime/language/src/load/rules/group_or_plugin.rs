//! A row that is a group and a plugin.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::node::Key;

/// `DSH0115`
pub static RULE: Rule = Rule::error("DSH0115", "a row is a group and a plugin at once", include_str!("group_or_plugin.md"));

/// `other` is the key that a group does not have.
pub fn group_or_plugin(rows: &Key, other: &Key) -> Diagnostic {
    Diagnostic::new(&RULE, format!("a group cannot have `{}`", other.text))
        .at(&other.place, "belongs to a plugin's row")
        .and(&rows.place, "makes this row a group")
        .help(format!("remove `{}`, or move it to a row inside the group", other.text))
}
