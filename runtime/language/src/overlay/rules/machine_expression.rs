//! An expression that gives no usable value where the binary runs.

use crate::check::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0703`
pub static RULE: Rule =
    Rule::error("DSH0703", "an expression gives no value of its field's type on this machine", include_str!("machine_expression.md"));

/// `message` says what the expression gave.
pub fn machine_expression(place: &Place, at: &FieldAt<'_>, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the expression for `{}` gives no usable value on this machine", at.path))
        .at(place, message)
        .note_if(at.doc())
}

/// The same of the `disabled` of a row.
pub fn machine_condition(place: &Place, row: &str, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the expression for `disabled` of row `{row}` gives no usable value on this machine")).at(place, message)
}
