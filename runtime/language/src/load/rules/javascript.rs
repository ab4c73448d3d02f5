//! Expressions of the reference implementation.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::javascript::translate;

/// `DSH0008`
pub static RULE: Rule = Rule::error("DSH0008", "a `!!js` expression", include_str!("javascript.md"));

/// `script` is the JavaScript expression.
pub fn javascript(place: &Place, script: &str) -> Diagnostic {
    let found = Diagnostic::new(&RULE, "JavaScript expressions are not supported").at(place, "tagged `!!js`");
    match translate(script) {
        // Quotes that YAML needs around the expression.
        Some(expression) if expression.contains([':', '#']) => found.help(format!("write `!expr '{}'`", expression.replace('\'', "''"))),
        Some(expression) => found.help(format!("write `!expr {expression}`")),
        None => found.note("there is no `!expr` that says the same").help("give a literal value, or read the value from `env`"),
    }
}
