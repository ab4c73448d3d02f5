//! An expression outside a row's values.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0014`
pub static RULE: Rule = Rule::error("DSH0014", "an expression stands where none is allowed", include_str!("misplaced_expression.md"));

/// `what` names the value that was expected, such as `` `id` ``.
pub fn misplaced_expression(place: &Place, what: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("{what} cannot be an expression"))
        .at(place, "an expression")
        .note("expressions may stand inside `config` and as the value of `disabled`")
}
