//! A file that is not text.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0002`
pub static RULE: Rule = Rule::error("DSH0002", "a file is not UTF-8 text", include_str!("not_utf8.md"));

/// The bytes at `place` are the first that are not UTF-8.
pub fn not_utf8(place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "the file is not UTF-8 text").at(place, "these bytes are no character").help("save the file as UTF-8")
}
