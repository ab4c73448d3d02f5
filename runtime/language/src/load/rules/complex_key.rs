//! Keys that are not words.

use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0012`
pub static RULE: Rule = Rule::error("DSH0012", "a key is not a plain word or string", include_str!("complex_key.md"));

/// `place` is the key.
pub fn complex_key(place: &Place) -> Diagnostic {
    let found = Diagnostic::new(&RULE, "a key must be a word or a string").at(place, "not a word or a string");
    match in_double_braces(place) {
        Some(expression) => found.help(format!("an expression is written `!expr {expression}`, without braces")),
        None => found,
    }
}

/// What stands inside of `{{ }}`.
fn in_double_braces(place: &Place) -> Option<&str> {
    let text = place.file.text();
    let inside = text[place.span.clone()].strip_prefix('{')?.strip_suffix('}')?;
    text[..place.span.start].ends_with('{').then(|| inside.trim())
}
