//! A value that holds nothing where something must be.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0208`
pub static RULE: Rule = Rule::error("DSH0208", "a value is empty and its field takes none that is", include_str!("empty_value.md"));

/// The whole value holds nothing.
pub fn empty_value(at: &FieldAt<'_>, place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{}` cannot be empty", at.path)).at(place, "holds nothing").note_if(at.doc())
}

/// A string holds white space at most.
pub fn blank_value(at: &FieldAt<'_>, place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{}` cannot be blank", at.path)).at(place, "holds no visible character").note_if(at.doc())
}
