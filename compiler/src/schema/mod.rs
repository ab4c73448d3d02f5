//! JSON Schema of profiles and patch lists, for editors: the names of plugins with what they do, and the config of each.
//!
//! Draft 7, the newest that every version of the language server of editors supports. A schema sees one file and no tags, so it accepts more
//! than `check` does: what rows need of each other, and whether an expression can mean something, is the compiler's to say. The text of
//! an expression reaches it as a string.

mod config;
mod entry;
mod expression;
mod plugin;
mod profile;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::index::Index;

/// The folder of the schemas in a folder of generated files.
pub const FOLDER: &str = "schema";
/// Schema of `profile.yml`.
pub const PROFILE: &str = "profile.schema.json";
/// Schema of bundles and patch files.
pub const PATCH: &str = "patch.schema.json";

/// Text of both schemas by file name. Pure: the same declarations give the same bytes.
#[must_use]
pub fn schemas(index: &Index) -> BTreeMap<&'static str, String> {
    let definitions = definitions(index);
    BTreeMap::from([(PROFILE, document(&profile::profile(), &definitions)), (PATCH, document(&entry::patch(), &definitions))])
}

/// What both refer to.
fn definitions(index: &Index) -> Map<String, Value> {
    let own = [entry::definitions(), plugin::definitions(index), expression::definitions()].into_iter().flatten();
    own.chain(config::definitions(index)).collect()
}

/// Without a title, which an editor would show above the doc of every key.
fn document(body: &Value, definitions: &Map<String, Value>) -> String {
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$comment": "Made by `dsh-build sync` from the declarations of plugins. Change those, not this file.",
    });
    if let (Value::Object(schema), Value::Object(body)) = (&mut schema, body) {
        schema.extend(body.clone());
        schema.insert("definitions".to_owned(), Value::Object(definitions.clone()));
    }
    // A tree of `Value`s has nothing that cannot be written.
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text + "\n"
}

/// A reference to a definition.
fn defined(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// A reference with a description, which draft 7 would ignore beside it.
fn described(description: &str, name: &str) -> Value {
    json!({ "description": description, "allOf": [defined(name)] })
}
