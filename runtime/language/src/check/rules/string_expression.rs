//! An expression that gives a string on every machine, for a field of another type.

use super::wrong_type::expected;
use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::schema::{FieldType, Schemas};

/// `DSH0220`
pub static RULE: Rule =
    Rule::error("DSH0220", "an expression gives a string where its field takes another type", include_str!("string_expression.md"));

/// `text` is the expression, a lone name or one with a default.
pub fn string_expression(at: &FieldAt<'_>, ty: &FieldType, place: &Place, text: &str, schemas: &Schemas) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the expression for `{}` gives a string", at.path))
        .at(place, format!("expected {}", expected(ty, at.package, schemas)))
        .note_if(at.doc())
        .help(format!("write `{}`", filtered(text, filter(ty))))
}

/// A name with a filter behind it, before its default.
fn filtered(text: &str, filter: &str) -> String {
    match text.split_once('|') {
        Some((name, default)) => format!("{} | {filter} | {}", name.trim(), default.trim()),
        None => format!("{} | {filter}", text.trim()),
    }
}

/// `text` is the expression of a `disabled`, a lone name.
pub fn string_condition(place: &Place, text: &str) -> Diagnostic {
    let text = text.trim();
    let found = Diagnostic::new(&RULE, "the expression for `disabled` gives a string").at(place, "expected `true` or `false`");
    if text.contains('|') {
        return found.help(format!("write `{}`", filtered(text, "bool")));
    }
    if text.starts_with("env") {
        return found.help(format!(
            "write `{text} is defined` when it matters whether it is set, `{text} | bool` when it is set to `true` or `false`"
        ));
    }
    found.help(format!("compare it: `{text} == '…'`"))
}

fn filter(ty: &FieldType) -> &'static str {
    match ty {
        FieldType::Int(_) => "int",
        FieldType::Float => "float",
        FieldType::Bool => "bool",
        FieldType::Option(inner) => filter(inner),
        _ => "json",
    }
}
