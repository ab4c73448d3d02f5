//! The composition digest: what a binary says it was composed of.

use std::fmt::Write;

use crate::check::{StructValue, Value};

/// FNV-1a.
pub type Hash = fn(&[u8]) -> u64;

/// A row that mounts, always or under conditions.
pub struct DigestedRow<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its plugin.
    pub plugin: &'a str,
    /// The plugin's digest.
    pub digest: u64,
    /// Its config.
    pub config: Option<&'a StructValue>,
    /// The groups around it, outermost first.
    pub groups: Vec<&'a str>,
    /// The condition under which it is off.
    pub off_when: Option<&'a str>,
}

/// Digest of a row: its id, plugin, plugin digest, config, groups and condition. Provenance does not count: a row that moves to another
/// file gives the same binary.
#[must_use]
pub fn row_digest(row: &DigestedRow<'_>, hash: Hash) -> u64 {
    let mut text = format!("row {:?} plugin {:?} {:016x} ", row.id, row.plugin, row.digest);
    if let Some(config) = row.config {
        append_struct(&mut text, config);
    }
    if !row.groups.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(text, " in {:?}", row.groups);
    }
    if let Some(condition) = row.off_when {
        let _ = write!(text, " off when {condition:?}");
    }
    hash(text.as_bytes())
}

/// 16 hex digits over what is around the rows (`frame`: profile, groups, presets) and over the digest of each row in row order.
#[must_use]
pub fn composition_digest(frame: u64, rows: impl Iterator<Item = u64>, hash: Hash) -> String {
    let mut text = format!("{frame:016x}\n");
    for row in rows {
        let _ = writeln!(text, "{row:016x}");
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
