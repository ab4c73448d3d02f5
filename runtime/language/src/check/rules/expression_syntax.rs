//! An expression that does not parse.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::translate_javascript;

/// `DSH0212`
pub static RULE: Rule = Rule::error("DSH0212", "an expression is not valid", include_str!("expression_syntax.md"));

/// `text` is the whole expression, `message` the parser's words, `place` where they apply.
pub fn expression_syntax(place: &Place, text: &str, message: &str) -> Diagnostic {
    let found = Diagnostic::new(&RULE, "the expression is not valid").at(place, message);
    if text.trim().is_empty() {
        return found.help("write the expression after `!expr`");
    }
    if text.contains("{{") {
        return found.help("write the expression without `{{` and `}}`");
    }
    found.help_if(translate_javascript(text).map(|expression| format!("write `{expression}`")))
}
