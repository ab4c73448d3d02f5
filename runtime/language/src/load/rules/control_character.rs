//! A character that no text file holds.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0003`
pub static RULE: Rule = Rule::error("DSH0003", "a file holds a NUL character", include_str!("control_character.md"));

/// `place` is the first NUL.
pub fn control_character(place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, "the file holds a NUL character")
        .at(place, "not allowed in YAML")
        .help("remove it, or write it as `\\0` in a string with double quotes")
}
