//! `profile.yml`.

use serde_json::{Value, json};

use super::entry::{NAME, PATCH, TEXT};
use super::{defined, described};

/// A whole profile.
pub(super) fn profile() -> Value {
    json!({
        "description": "A named composition and the settings of its binary.",
        "type": "object",
        "additionalProperties": false,
        "required": ["dsh", "profile"],
        "properties": {
            "dsh": { "description": "Version of the language.", "const": 1 },
            "profile": described("The name, which is that of the folder too. The binary is `dsh-NAME`.", NAME),
            "aliases": names("Other names that the binary accepts as `--profile`."),
            "bundles": names("Patch lists that the profile shares with others, applied in this order."),
            "crates": {
                "description": "Plugin crates from outside the workspace.",
                "type": "object",
                "propertyNames": defined(NAME),
                "additionalProperties": { "oneOf": [
                    exactly(json!({ "path": described("A folder, relative to that of the profile.", TEXT) })),
                    exactly(json!({ "git": described("Address of a repository.", TEXT), "rev": described("The revision.", TEXT) })),
                    exactly(json!({ "version": described("A version of the registry.", TEXT) })),
                ] },
            },
            "patch": described("Changes of rows, applied after the bundles.", PATCH),
            "presets": {
                "description": "Compositions that an agent may select, by name.",
                "type": "object",
                "propertyNames": defined(NAME),
                "additionalProperties": {
                    "type": "object",
                    "additionalProperties": false,
                    "properties": {
                        "bundles": names("Patch lists, applied in this order."),
                        "patch": described("Changes of rows, applied after the bundles.", PATCH),
                    },
                },
            },
            "build": {
                "description": "Defaults of the flags of the same names.",
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "static": { "description": "A binary that needs no shared library.", "type": "boolean" },
                    "seal": { "description": "A binary that takes no overlay.", "type": "boolean" },
                    "set": {
                        "description": "Variables by name: what expressions see as `env.NAME`. An empty value stands for one that is not set.",
                        "type": "object",
                        "propertyNames": { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
                        "additionalProperties": { "type": ["string", "number", "boolean"] },
                    },
                },
            },
        },
    })
}

fn names(description: &str) -> Value {
    json!({ "description": description, "type": "array", "uniqueItems": true, "items": defined(NAME) })
}

/// A mapping with these keys, all of them.
fn exactly(properties: Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(|properties| properties.keys()).collect();
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
}
