//! A secret that would stand in the binary.

use std::collections::BTreeMap;

use dsh_language::check::{StructValue, Value};

use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::load::{BuildSettings, SetVariable};

/// `DSH0142`
pub static RULE: Rule = Rule::error("DSH0142", "a variable that holds a secret is set", include_str!("set_secret.md"));

/// Refuses settings of variables in which rows look for secrets, be the rows switched off.
pub fn set_secrets(settings: &BuildSettings, secrets: &BTreeMap<String, String>, problems: &mut Diagnostics) {
    for SetVariable { name, place, .. } in &settings.set {
        let Some(row) = secrets.get(name) else { continue };
        let problem = Diagnostic::new(&RULE, format!("`{name}` holds a secret and cannot be set"));
        let problem = match place {
            Some(place) => problem.at_redacted(place, "not shown, since it may hold the secret"),
            None => problem,
        };
        problems.report(
            problem
                .note(format!("row `{row}` takes its secret from this variable, when it uses it"))
                .help("leave it out, and set the variable where the binary runs"),
        );
    }
}

/// The variables in which a config looks for secrets.
pub fn secrets_of(config: &StructValue) -> Vec<&str> {
    let mut found = Vec::new();
    config.fields.iter().for_each(|(_, value)| add_secrets(value, &mut found));
    found
}

fn add_secrets<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::SecretEnv(variable) => found.push(variable),
        Value::Option(inner) => inner.iter().for_each(|inner| add_secrets(inner, found)),
        Value::List(items) => items.iter().for_each(|item| add_secrets(item, found)),
        Value::Map(entries) => entries.iter().for_each(|(_, item)| add_secrets(item, found)),
        Value::Struct(inner) => found.extend(secrets_of(inner)),
        Value::Text(_) | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Path(_) => {}
        Value::Variant(..) | Value::Expression { .. } => {}
    }
}
