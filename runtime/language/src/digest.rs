//! The composition digest: what a binary says it was composed of.

use std::fmt::Write;

use crate::check::{StructValue, Value};

/// A row that mounts.
pub struct DigestedRow<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its plugin.
    pub plugin: &'a str,
    /// The plugin's digest.
    pub digest: u64,
    /// Its config.
    pub config: Option<&'a StructValue>,
}

/// 16 hex digits over the profile's name, and over each row's id, plugin, plugin digest and config in row order. Provenance
/// does not count: a row that moves to another file gives the same binary. `hash` is FNV-1a.
pub fn composition_digest<'a>(
    profile: &str,
    aliases: &[impl AsRef<str>],
    rows: impl Iterator<Item = DigestedRow<'a>>,
    hash: fn(&[u8]) -> u64,
) -> String {
    let aliases: Vec<&str> = aliases.iter().map(AsRef::as_ref).collect();
    let mut text = format!("profile {profile:?} {aliases:?}\n");
    for row in rows {
        // Writing to a string does not fail.
        let _ = write!(text, "row {:?} plugin {:?} {:016x} ", row.id, row.plugin, row.digest);
        if let Some(config) = row.config {
            append_struct(&mut text, config);
        }
        text.push('\n');
    }
    format!("{:016x}", hash(text.as_bytes()))
}

fn append_struct(text: &mut String, value: &StructValue) {
    let _ = write!(text, "{} {{ ", value.item);
    for (field, value) in &value.fields {
        let _ = write!(text, "{field}: ");
        append(text, value);
        text.push_str(", ");
    }
    text.push('}');
}

/// Strings are quoted and escaped and every kind has a form of its own, so that two values never share a text.
fn append(text: &mut String, value: &Value) {
    let _ = match value {
        Value::Text(value) => write!(text, "{value:?}"),
        Value::Bool(value) => write!(text, "{value}"),
        Value::Int(value) => write!(text, "{value}"),
        Value::Float(value) => write!(text, "float {value:?}"),
        Value::Path(value) => write!(text, "path {value:?}"),
        Value::SecretEnv(value) => write!(text, "secret {value:?}"),
        Value::Option(None) => write!(text, "none"),
        Value::Option(Some(value)) => {
            text.push_str("some ");
            append(text, value);
            Ok(())
        }
        Value::List(values) => {
            text.push_str("[ ");
            for value in values {
                append(text, value);
                text.push_str(", ");
            }
            write!(text, "]")
        }
        Value::Map(entries) => {
            text.push_str("map { ");
            for (key, value) in entries {
                let _ = write!(text, "{key:?}: ");
                append(text, value);
                text.push_str(", ");
            }
            write!(text, "}}")
        }
        Value::Struct(value) => {
            append_struct(text, value);
            Ok(())
        }
        Value::Variant(item, variant) => write!(text, "{item}::{variant}"),
        Value::Expression { text: expression, .. } => write!(text, "expr {expression:?}"),
    };
}
