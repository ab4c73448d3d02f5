//! An expression over constants that gives no usable value.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0216`
pub static RULE: Rule =
    Rule::error("DSH0216", "an expression over constants gives no value of its field's type", include_str!("constant_expression.md"));

/// `what` names the value, in backticks; `message` says what the expression gave.
pub fn constant_expression(place: &Place, what: &str, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the expression for {what} gives no usable value")).at(place, message)
}
