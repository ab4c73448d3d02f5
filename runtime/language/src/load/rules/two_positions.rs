//! Rows inserted at two places.

use crate::diagnostics::{Diagnostic, Rule};
use crate::load::node::Key;

/// `DSH0111`
pub static RULE: Rule = Rule::error("DSH0111", "an insert names two places", include_str!("two_positions.md"));

/// Both keys of one entry.
pub fn two_positions(first: &Key, second: &Key) -> Diagnostic {
    Diagnostic::new(&RULE, format!("an insert has both `{}` and `{}`", first.text, second.text))
        .at(&second.place, "a second place")
        .and(&first.place, "a first place")
        .help("keep one of the two")
}
