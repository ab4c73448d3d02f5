//! Two rows of one id.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::Named;

/// `DSH0113`
pub static RULE: Rule = Rule::error("DSH0113", "two rows have the same id", include_str!("duplicate_row.md"));

/// The later row, and where the one that has the id already was given it.
pub fn duplicate_row(again: &Named, first: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("row id `{}` is taken", again.text))
        .at(&again.place, "inserted again here")
        .and(first, "first inserted here")
        .help(format!("to change the first row, write `- id: {}` with the keys to replace; else choose another id", again.text))
}
