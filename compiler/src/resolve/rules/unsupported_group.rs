//! Groups, which this version cannot build.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Named;

/// `DSH0130`
pub static RULE: Rule = Rule::error(
    "DSH0130",
    "groups are not supported by this version",
    "Groups and realms belong to the language, and this compiler reads and checks them, but it cannot build them yet. Where the group has \
     no `isolate`, its rows can stand outside it.",
);

/// The group's row.
pub fn unsupported_group(id: &Named) -> Diagnostic {
    Diagnostic::new(&RULE, "groups are not supported by this version")
        .at(&id.place, "a row with `rows` is a group")
        .help("insert the rows without a group")
}
