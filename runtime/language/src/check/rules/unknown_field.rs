//! A config field that is not declared.

use crate::diagnostics::{Diagnostic, Rule, nearest, quoted};
use crate::load::Key;
use crate::schema::FieldSchema;

/// `DSH0203`
pub static RULE: Rule = Rule::error("DSH0203", "a config holds a field that its plugin does not declare", include_str!("unknown_field.md"));

/// `path` is where the mapping that holds the key stands in the config.
pub fn unknown_field(key: &Key, path: &str, fields: &[FieldSchema], plugin: &str) -> Diagnostic {
    let owner = if path.is_empty() { format!("plugin `{}`", plugin) } else { format!("`{path}` of plugin `{}`", plugin) };
    let known = || fields.iter().map(|field| &*field.key);
    let near = nearest(&key.text, known());
    let found = Diagnostic::new(&RULE, format!("unknown field `{}` in the config of {owner}", key.text));
    // Where a secret's variable was meant, the secret itself may stand.
    let is_secret = near.is_some_and(|near| fields.iter().any(|field| field.key == near && field.ty.names_secret()));
    let found = match is_secret {
        true => found.at_redacted(&key.place, "no such field; the line is not shown, since it may hold a secret"),
        false => found.at(&key.place, "no such field"),
    };
    let found = if fields.is_empty() { found.note("it has no fields") } else { found.note(format!("known fields: {}", quoted(known()))) };
    found.help_if(near.map(|near| format!("a field with a similar name exists: `{near}`")))
}
