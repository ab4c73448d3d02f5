//! A comparison whose sides are never equal.

use crate::check::{Kind, Mismatch, Side};
use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0223`
pub static RULE: Rule = Rule::error("DSH0223", "an expression compares what can never be equal", include_str!("never_equal.md"));

/// `place` is the comparison, or the element of a list in which something is looked for.
pub fn never_equal(place: &Place, mismatch: &Mismatch) -> Diagnostic {
    let Mismatch { left, sign, right } = mismatch;
    let title = match sign.as_str() {
        "==" | "!=" | "in" => format!("`{}` and `{}` are never equal", left.text, right.text),
        _ => format!("`{}` and `{}` have no order", left.text, right.text),
    };
    Diagnostic::new(&RULE, title).at(place, format!("{} beside {}", word(left.kind), word(right.kind))).help_if(help(mismatch))
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "a string",
        Kind::Number => "a number",
        Kind::Boolean => "a boolean",
        Kind::Nothing => "nothing",
    }
}

/// The comparison that was likely meant. One side at least is no literal where one is.
fn help(Mismatch { left, sign, right }: &Mismatch) -> Option<String> {
    let (read, literal) = match (left.is_literal, right.is_literal) {
        (false, true) => (left, right),
        (true, false) => (right, left),
        _ => return None,
    };
    let is_equality = matches!(sign.as_str(), "==" | "!=" | "in");
    match (read.kind, literal.kind) {
        (_, Kind::Nothing) if sign == "==" => Some(format!("write `{} is undefined`", read.text)),
        (_, Kind::Nothing) if sign == "!=" => Some(format!("write `{} is defined`", read.text)),
        // Only a variable can hold a number.
        (Kind::Text, Kind::Number) if !read.text.starts_with("env") => None,
        (Kind::Text, Kind::Boolean) if !read.text.starts_with("env") => None,
        (Kind::Text, Kind::Number) if is_equality => Some(format!(
            "write the string `'{}'`, or make a number of the other: `{} | {}`",
            literal.text,
            read.text,
            number_filter(literal)
        )),
        (Kind::Text, Kind::Number) => Some(format!("make a number of the string: `{} | {}`", read.text, number_filter(literal))),
        (Kind::Text, Kind::Boolean) => Some(format!(
            "write the string `'{}'`, or make a boolean of the other, which needs no comparison: `{} | bool`",
            literal.text.to_lowercase(),
            read.text
        )),
        (Kind::Number | Kind::Boolean, Kind::Text) => Some(format!("write `{}` without quotes", unquoted(&literal.text))),
        _ => None,
    }
}

fn number_filter(literal: &Side) -> &'static str {
    if literal.text.contains('.') { "float" } else { "int" }
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['\'', '"'])
}
