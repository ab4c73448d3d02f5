//! Two rows of one id.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::Named;

/// `DSH0113`
pub static RULE: Rule = Rule::error(
    "DSH0113",
    "two rows have the same id",
    "A row's id is how patches, messages and the log name it, so it is unique in the whole composition. To change a row that an earlier \
     layer inserted, write an entry with `id`; to mount the plugin a second time, give the second row an id of its own.",
);

/// The later row, and where the one that has the id already was given it.
pub fn duplicate_row(again: &Named, first: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("row id `{}` is taken", again.text))
        .at(&again.place, "inserted again here")
        .and(first, "first inserted here")
        .help(format!("to change the first row, write `- id: {}` with the keys to replace; else choose another id", again.text))
}
