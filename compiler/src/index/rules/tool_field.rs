//! A declaration that takes a value from a config field that cannot give it.

use crate::diagnostics::{Diagnostic, Place, Rule, nearest, quoted};

/// The rule.
pub(crate) static RULE: Rule =
    Rule::error("DSH0417", "a declaration takes a value from a config field that cannot give it", include_str!("tool_field.md"));

/// The config has no such field. `known` are the fields of a fitting type.
pub(crate) fn absent_field(at: &Place, field: &str, known: &[String]) -> Diagnostic {
    let names = || known.iter().map(String::as_str);
    let found = Diagnostic::new(&RULE, format!("the plugin's config has no field `{field}`")).at(at, "no such field");
    let found = if known.is_empty() { found } else { found.note(format!("fields of a fitting type: {}", quoted(names()))) };
    found.help_if(nearest(field, names()).map(|near| format!("a field with a similar name exists: `{near}`")))
}

/// The field is of another type.
pub(crate) fn field_of_other_type(at: &Place, field: &str, expected: &str) -> Diagnostic {
    Diagnostic::new(&RULE, format!("the config field `{field}` is not {expected}")).at(at, format!("expected {expected}"))
}
