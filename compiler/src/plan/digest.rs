//! The composition digest: what a binary says it was composed of.

use std::fmt::Write;

use dsh_declare::digest::fnv1a;

use crate::check::{Checked, StructValue, Value};
use crate::index::Index;

/// 16 hex digits over the profile's name, and over each row's id, plugin, plugin digest and config in row order. Provenance
/// does not count: a row that moves to another file gives the same binary.
pub(super) fn composition_digest(checked: &Checked, index: &Index) -> String {
    let mut text = format!("profile {:?} {:?}\n", checked.profile, checked.aliases);
    if checked.is_sealed {
        text.push_str("sealed\n");
    }
    for group in &checked.groups {
        let condition = group.disabled.as_ref().map(|disabled| &disabled.text);
        let _ = writeln!(text, "group {:?} in {:?} isolates {:?} off when {condition:?}", group.id, group.parent, group.isolates);
    }
    for row in super::all_rows(checked) {
        let digest = index.plugins.get(&row.plugin).map_or(0, |plugin| plugin.declared.digest);
        // Writing to a string does not fail.
        let _ = write!(text, "row {:?} plugin {:?} {digest:016x} ", row.id, row.plugin);
        if let Some(config) = &row.config {
            append_struct(&mut text, config);
        }
        if !row.groups.is_empty() {
            let _ = write!(text, " in {:?}", row.groups);
        }
        if let Some(disabled) = &row.disabled {
            let _ = write!(text, " off when {:?}", disabled.text);
        }
        text.push('\n');
    }
    for preset in &checked.presets {
        let _ = writeln!(text, "preset {:?} of {:?}", preset.name, preset.rows.iter().map(|row| &row.id).collect::<Vec<_>>());
    }
    format!("{:016x}", fnv1a(text.as_bytes()))
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
