//! Patch lists: entries and rows.

use serde_json::{Map, Value, json};

use super::{defined, described, expression, plugin};

/// A name: of a row, a bundle, a profile, a crate.
pub(super) const NAME: &str = "name";
/// A string of at least one character, whatever it looks like without quotes.
pub(super) const TEXT: &str = "text";
/// A patch list.
pub(super) const PATCH: &str = "patch";

/// A whole patch list.
pub(super) fn patch() -> Value {
    described("Changes of rows, applied in order. An empty layer is written `[]`.", PATCH)
}

pub(super) fn definitions() -> Map<String, Value> {
    let definitions = [
        (NAME, json!({ "type": "string", "pattern": "^[a-z][a-z0-9-]*$" })),
        (TEXT, json!({ "type": ["string", "number", "boolean"], "minLength": 1 })),
        (PATCH, json!({ "type": "array", "items": defined("entry") })),
        ("entry", json!({ "type": "object", "if": { "required": ["insert"] }, "then": defined("insert"), "else": defined("change") })),
        ("insert", insert()),
        ("change", change()),
        ("row", row()),
        ("disabled", json!({ "anyOf": [{ "type": "boolean" }, defined(expression::VALUE)] })),
        ("isolate", json!({ "type": "array", "items": defined(TEXT) })),
    ];
    definitions.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn insert() -> Value {
    json!({
        "description": "Adds rows; without a place, at the end.",
        "type": "object",
        "additionalProperties": false,
        "required": ["insert"],
        "properties": {
            "insert": { "description": "The rows to add.", "type": "array", "items": defined("row") },
            "before": described("Id of the row before which they are added.", NAME),
            "after": described("Id of the row after which they are added.", NAME),
            "into": described("Id of the group at whose end they are added.", NAME),
        },
        // One place.
        "dependencies": {
            "before": { "properties": { "after": false, "into": false } },
            "after": { "properties": { "before": false, "into": false } },
            "into": { "properties": { "before": false, "after": false } },
        },
    })
}

fn change() -> Value {
    let mut properties = settings();
    properties.insert("id".to_owned(), described("Id of the row that is changed.", NAME));
    properties.insert("optional".to_owned(), json!({ "description": "Whether an absent row is passed over.", "type": "boolean" }));
    json!({
        "description": "Changes a row: each given key replaces the row's as a whole.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "required": ["id"],
        "anyOf": SETTINGS.map(|key| json!({ "required": [key] })),
        "not": { "required": ["plugin", "name"] },
        "allOf": [defined(plugin::CONFIG)],
    })
}

fn row() -> Value {
    let mut properties = settings();
    properties.insert("id".to_owned(), described("The row's id, which no other row of the composition has.", NAME));
    let rows = json!({ "description": "Children; then the row is a group and has no plugin.", "type": "array", "items": defined("row") });
    properties.insert("rows".to_owned(), rows);
    json!({
        "description": "A plugin with its config at a place of the composition.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "required": ["id"],
        "if": { "required": ["rows"] },
        "then": { "properties": { "plugin": false, "name": false, "config": false } },
        "else": { "oneOf": [{ "required": ["plugin"] }, { "required": ["name"] }] },
        "allOf": [defined(plugin::CONFIG), defined(plugin::NEEDED)],
    })
}

/// The keys that a row has and a change replaces.
const SETTINGS: [&str; 5] = ["plugin", "name", "config", "disabled", "isolate"];

fn settings() -> Map<String, Value> {
    let values = [
        described("The plugin that the row mounts.", plugin::NAME),
        described("The plugin in the spelling of the reference implementation; `plugin` is the usual key.", plugin::PACKAGE),
        json!({ "description": "Values of the plugin's config fields.", "type": "object" }),
        described("Whether the row is kept from mounting.", "disabled"),
        described("Keys of services that get a realm of this group.", "isolate"),
    ];
    SETTINGS.into_iter().map(str::to_owned).zip(values).collect()
}
