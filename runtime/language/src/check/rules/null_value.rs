//! No value where one must be.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Rule};
use crate::load::Node;
use crate::schema::FieldType;

/// `DSH0210`
pub static RULE: Rule = Rule::error("DSH0210", "a field is null and its type takes no null", include_str!("null_value.md"));

/// `node` is a plain `null`, `~` or nothing.
pub fn null_value(at: &FieldAt<'_>, node: &Node) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("`{}` cannot be null", at.path)).at(&node.place, "no value");
    match (&at.decl.default, &at.decl.ty) {
        (Some(_), _) => found.help(format!("give a value, or remove `{}` to get the default", at.decl.key)),
        (None, FieldType::Text) => found.help("give a value; an empty string is written `''`"),
        (None, _) => found.help("give a value"),
    }
}
