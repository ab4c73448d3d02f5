//! A value of another type than its field's.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Rule, quoted};
use crate::load::{Node, NodeKind, unquoted_tag};
use crate::schema::{ConfigBody, FieldType, Schemas};

/// `DSH0204`
pub static RULE: Rule = Rule::error("DSH0204", "a config value is not of its field's type", include_str!("wrong_type.md"));

/// `ty` is the type of the value at fault, which may stand inside the field's.
pub fn wrong_type(at: &FieldAt<'_>, ty: &FieldType, node: &Node, schemas: &Schemas) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("`{}` must be {}", at.path, expected(ty, at.package, schemas)))
        .at(&node.place, format!("found {}", node.describe()));
    found.note_if(at.doc()).help_if(proposal(ty, node))
}

/// What a type takes, in words.
pub fn expected(ty: &FieldType, package: &str, schemas: &Schemas) -> String {
    match ty {
        FieldType::Text => "a string".to_owned(),
        FieldType::Bool => "`true` or `false`".to_owned(),
        FieldType::Int(_) => "a whole number".to_owned(),
        FieldType::Float => "a number".to_owned(),
        FieldType::Path => "a path".to_owned(),
        FieldType::SecretEnv => "the name of an environment variable".to_owned(),
        FieldType::Option(inner) => expected(inner, package, schemas),
        FieldType::List(inner) => format!("a list, each element {}", expected(inner, package, schemas)),
        FieldType::Map(inner) => format!("a mapping, each value {}", expected(inner, package, schemas)),
        FieldType::Named(name) => match schemas.named(package, name).map(|(_, body)| body) {
            Some(ConfigBody::Enum(variants)) => format!("one of {}", quoted(variants.iter().map(|variant| &*variant.key))),
            Some(ConfigBody::Struct(_)) | None => "a mapping".to_owned(),
        },
    }
}

/// What was probably meant.
fn proposal(ty: &FieldType, node: &Node) -> Option<String> {
    let (text, is_quoted) = match &node.kind {
        NodeKind::Plain(text) => (text.as_str(), false),
        NodeKind::Quoted(text) => (text.as_str(), true),
        _ => return None,
    };
    if let Some(tag) = unquoted_tag(text).filter(|_| is_quoted) {
        return Some(tag);
    }
    if text.starts_with("env.") && !matches!(ty, FieldType::Named(_)) {
        return Some(format!("an expression has a tag: `!expr {text}`"));
    }
    match ty {
        FieldType::Option(inner) => proposal(inner, node),
        FieldType::Bool => match text.to_ascii_lowercase().as_str() {
            "true" | "false" if is_quoted => Some("remove the quotes: a value in quotes is a string".to_owned()),
            "true" | "yes" | "on" | "1" => Some("write `true`".to_owned()),
            "false" | "no" | "off" | "0" => Some("write `false`".to_owned()),
            _ => None,
        },
        FieldType::Int(_) | FieldType::Float if is_quoted && text.parse::<f64>().is_ok() => {
            Some("remove the quotes: a value in quotes is a string".to_owned())
        }
        FieldType::Int(_) | FieldType::Float if has_unit(text) => Some("write the number alone: the field has its unit already".to_owned()),
        FieldType::Int(_) => {
            let digits = text.replace('_', "");
            let whole = digits.parse::<i128>().ok().or_else(|| digits.strip_suffix(".0")?.parse().ok())?;
            Some(format!("write `{whole}`"))
        }
        FieldType::List(_) => Some(format!("write a list of one element: `[{text}]`")),
        _ => None,
    }
}

/// `60s`, `16 KiB`
fn has_unit(text: &str) -> bool {
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    unit.len() < text.len() && !unit.is_empty() && unit.trim_start().chars().all(|letter| letter.is_alphabetic())
}
