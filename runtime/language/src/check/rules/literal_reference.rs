//! A text in which something looks as if it were replaced.

use dsh_expression::{CONSTANT_NAME, MACHINE_NAMES};

use crate::check::config::FieldAt;
use crate::check::tokens::tokens;
use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::document::expression as written;
use crate::schema::FieldType;

/// `DSH0224`
pub static RULE: Rule =
    Rule::warning("DSH0224", "a text holds what looks like a reference and is none", include_str!("literal_reference.md"));

/// The warning for a text of a field; `None` when nothing in it looks like a reference.
pub fn literal_reference(at: &FieldAt<'_>, ty: &FieldType, text: &str, place: &Place) -> Option<Diagnostic> {
    let is_path = matches!(ty, FieldType::Path);
    let parts = parts(text, is_path);
    let looks = parts.iter().find_map(|part| if let Part::Reference { written, .. } = part { Some(*written) } else { None })?;
    let expression = joined(&parts);
    Some(
        Diagnostic::new(&RULE, format!("`{looks}` in `{}` is not replaced", at.path))
            .at(place, "taken as it stands")
            .help(format!("write `{}`", written(&expression)))
            .help(format!("if it is meant as it stands, say so: `{}`", written(&Part::Text(text).term()))),
    )
}

/// A piece of a text.
enum Part<'t> {
    /// What means itself.
    Text(&'t str),
    /// What looks like a reference, and the expression that is one.
    Reference { written: &'t str, expression: String },
}

/// The expression that gives what the parts were likely meant to be.
fn joined(parts: &[Part<'_>]) -> String {
    match parts {
        [Part::Reference { expression, .. }] => expression.clone(),
        parts => parts.iter().map(Part::term).collect::<Vec<_>>().join(" ~ "),
    }
}

impl Part<'_> {
    /// As an operand of `~`.
    fn term(&self) -> String {
        match self {
            Self::Text(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n")),
            Self::Reference { expression, .. } if is_operand(expression) => expression.clone(),
            Self::Reference { expression, .. } => format!("({expression})"),
        }
    }
}

fn parts(text: &str, is_path: bool) -> Vec<Part<'_>> {
    if let Some(expression) = untagged(text) {
        return vec![Part::Reference { written: text, expression: expression.to_owned() }];
    }
    let is_one_word = !text.contains(char::is_whitespace);
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let is_place = is_path || at == 0 && is_one_word;
        let home = at == 0 && is_one_word && (rest.starts_with("~/") || is_path && rest == "~");
        let found = braces(rest, is_path)
            .or_else(|| home.then(|| (1, "env.HOME".to_owned())))
            .or_else(|| shell_variable(rest).filter(|(length, _)| is_place && (is_path || ends_there(&rest[*length..]))));
        let Some((length, expression)) = found else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        if start < at {
            parts.push(Part::Text(&text[start..at]));
        }
        parts.push(Part::Reference { written: &rest[..length], expression });
        at += length;
        start = at;
    }
    if start < text.len() {
        parts.push(Part::Text(&text[start..]));
    }
    parts
}

/// An expression whose tag is missing, or stands in quotes.
fn untagged(text: &str) -> Option<&str> {
    if let Some(expression) = text.strip_prefix("!expr ") {
        return Some(expression.trim());
    }
    // `env.sh` is a file.
    let is_variable = |name: &str| super::is_variable_name(name) && !name.contains(|letter: char| letter.is_ascii_lowercase());
    text.strip_prefix("env.").is_some_and(is_variable).then_some(text)
}

/// Whether an expression is a name, which binds tighter than `~`.
fn is_operand(expression: &str) -> bool {
    tokens(expression).iter().all(|token| token.is_name() || token.is("."))
}

/// Whether a shell's variable at the start of a text is all of it, or a folder.
fn ends_there(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

/// `{{ env.NAME … }}`; in a path also the other names. Prompts have a use of their own for names in braces.
fn braces(rest: &str, is_path: bool) -> Option<(usize, String)> {
    let inside = rest.strip_prefix("{{")?;
    let end = inside.find("}}")?;
    let inside_text = inside[..end].trim();
    let tokens = tokens(inside_text);
    let names = |name: &&str| tokens.first().is_some_and(|token| token.is(name));
    let is_known = if is_path { MACHINE_NAMES.iter().chain([&CONSTANT_NAME]).any(names) } else { names(&"env") && tokens.len() > 1 };
    is_known.then(|| (end + 4, inside_text.to_owned()))
}

/// `$NAME` and `${NAME}`
fn shell_variable(rest: &str) -> Option<(usize, String)> {
    let after = rest.strip_prefix('$')?;
    let (name, length) = match after.strip_prefix('{') {
        Some(inside) => inside.find('}').map(|end| (&inside[..end], end + 3))?,
        None => {
            let end = after.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(after.len());
            (&after[..end], end + 1)
        }
    };
    let is_name = super::is_variable_name(name);
    is_name.then(|| (length, format!("env.{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expression(text: &str, is_path: bool) -> Option<String> {
        let parts = parts(text, is_path);
        let refers = parts.iter().any(|part| matches!(part, Part::Reference { .. }));
        refers.then(|| joined(&parts))
    }

    #[test]
    fn references_become_expressions() {
        let cases = [
            ("$HOME/x", false, "env.HOME ~ '/x'"),
            ("${DATA_DIR}", false, "env.DATA_DIR"),
            ("~/work", false, "env.HOME ~ '/work'"),
            ("~", true, "env.HOME"),
            ("env.HOME", false, "env.HOME"),
            ("!expr env.A | default('b')", false, "env.A | default('b')"),
            ("/data/$USER/x", true, "'/data/' ~ env.USER ~ '/x'"),
            ("{{ cwd }}/x", true, "cwd ~ '/x'"),
            ("model {{ env.MODEL | default('a') }} é", false, "'model ' ~ (env.MODEL | default('a')) ~ ' é'"),
        ];
        for (text, is_path, expected) in cases {
            assert_eq!(expression(text, is_path).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn texts_that_are_meant_so_are_left_alone() {
        let cases = [
            "echo $HOME",
            "cd ~/work && ls",
            "{{cwd}}",
            "env.sh",
            "env.local",
            "costs $5",
            "env.HOME/x",
            "env.a-b",
            "$5",
            "$",
            "${",
            "${}",
            "{{ env }}",
            "{{",
            "a~/b",
            "$HOMEé",
            "it's $HOME",
        ];
        for text in cases {
            assert_eq!(expression(text, false), None, "{text}");
        }
        for text in ["/a~b", "a/~", "/x{{y}}", "$$"] {
            assert_eq!(expression(text, true), None, "{text}");
        }
    }
}
