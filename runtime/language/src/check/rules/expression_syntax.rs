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
    let translated = translate_javascript(text).map(|expression| format!("write `{expression}`"));
    found.help_if(translated.or_else(|| shell_variable(text)).or_else(|| single_equals(place)))
}

/// `$NAME` and `${NAME}`
fn shell_variable(text: &str) -> Option<String> {
    let (_, after) = text.split_once('$')?;
    let after = after.trim_start_matches('{');
    let name = &after[..after.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(after.len())];
    (!name.is_empty()).then(|| format!("an environment variable is written `env.{name}`"))
}

/// `left = right`
fn single_equals(place: &Place) -> Option<String> {
    (place.file.text().get(place.span.clone()) == Some("=")).then(|| "two values are compared with `==`".to_owned())
}
