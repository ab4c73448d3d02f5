//! A secret in a file.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0211`
pub static RULE: Rule = Rule::error("DSH0211", "a secret field does not name an environment variable", include_str!("secret_literal.md"));

/// `place` is the value, which is never shown.
pub fn secret_literal(at: &FieldAt<'_>, place: &Place) -> Diagnostic {
    let written = place.file.text()[place.span.clone()].trim_matches(['"', '\'']);
    let help = match written.strip_prefix('$').is_some_and(is_variable_name) {
        true => "write the variable's name without `$`".to_owned(),
        false => format!("put the secret into the environment and write its variable: `{}: API_KEY`", at.decl.key),
    };
    Diagnostic::new(&RULE, format!("`{}` must be the name of an environment variable", at.path))
        .at_redacted(place, "the value is not such a name; it is not shown, since it may be a secret")
        .help(help)
}

/// Whether a text is an environment variable's name: a letter or `_`, then letters, digits and `_`.
pub fn is_variable_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
