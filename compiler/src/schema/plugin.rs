//! The names of plugins, what they do, and what config a row gives to which.

use serde_json::{Map, Value, json};
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta};

use super::{config, defined};
use crate::index::{Index, PluginEntry};

/// A plugin's name.
pub(super) const NAME: &str = "plugin";
/// The same in the spelling of the reference.
pub(super) const PACKAGE: &str = "package";
/// A row or a change gives its plugin a config that the plugin takes.
pub(super) const CONFIG: &str = "config-of-plugin";
/// A row gives a config where the plugin cannot do without.
pub(super) const NEEDED: &str = "config-that-is-needed";

pub(super) fn definitions(index: &Index) -> Map<String, Value> {
    let names: Vec<&str> = index.plugins.keys().map(String::as_str).collect();
    let docs: Vec<String> = index.plugins.values().map(|plugin| about(plugin, index)).collect();
    let packages: Vec<String> = names.iter().map(|name| package(name)).collect();
    let needing: Vec<&PluginEntry> = index.plugins.values().filter(|plugin| !required(plugin, index).is_empty()).collect();
    let needed = needing.iter().map(|plugin| json!({ "if": enabled(plugin), "then": { "required": ["config"] } }));
    let given = needing
        .iter()
        .map(|plugin| json!({ "if": enabled(plugin), "then": { "properties": { "config": { "required": required(plugin, index) } } } }));
    let taken =
        index.plugins.values().map(|plugin| json!({ "if": is(plugin), "then": { "properties": { "config": taken(plugin, index) } } }));
    Map::from_iter([
        (NAME.to_owned(), json!({ "type": "string", "enum": names, "enumDescriptions": docs })),
        (PACKAGE.to_owned(), json!({ "type": "string", "enum": packages, "enumDescriptions": docs })),
        (CONFIG.to_owned(), all_of(taken.chain(given).collect())),
        (NEEDED.to_owned(), all_of(needed.collect())),
    ])
}

/// Draft 7 has no empty `allOf`.
fn all_of(rules: Vec<Value>) -> Value {
    if rules.is_empty() { json!({}) } else { json!({ "allOf": rules }) }
}

fn package(name: &str) -> String {
    format!("@deepseek-ai/dsh-{name}")
}

fn required<'a>(plugin: &PluginEntry, index: &'a Index) -> Vec<&'a str> {
    plugin.config.as_ref().map(|id| config::required(index, id)).unwrap_or_default()
}

/// The mapping names the plugin.
fn is(plugin: &PluginEntry) -> Value {
    json!({ "anyOf": [
        { "properties": { "plugin": { "const": plugin.name } }, "required": ["plugin"] },
        { "properties": { "name": { "const": package(&plugin.name) } }, "required": ["name"] },
    ] })
}

/// The mapping names the plugin and does not keep it from mounting.
fn enabled(plugin: &PluginEntry) -> Value {
    json!({ "allOf": [is(plugin), { "properties": { "disabled": { "const": false } } }] })
}

fn taken(plugin: &PluginEntry, index: &Index) -> Value {
    match &plugin.config {
        Some(id) if config::is_struct(index, id) => defined(&config::name(id)),
        // No plugin has such a config; `check` says so.
        Some(_) => json!({}),
        None => json!({ "description": format!("The plugin `{}` takes no config.", plugin.name), "maxProperties": 0 }),
    }
}

/// What a plugin does, and what it brings.
fn about(plugin: &PluginEntry, index: &Index) -> String {
    let decl = &plugin.declared.decl;
    let doc = if decl.doc.is_empty() { doc_of_type(plugin) } else { decl.doc.clone() };
    let services: Vec<String> = plugin.provides.iter().map(|id| format!("`{}`", index.service_key(id))).collect();
    let provides = if services.is_empty() { String::new() } else { format!("Provides {}.", services.join(", ")) };
    [doc, provides].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// The doc comment of the plugin's type, when it stands in the file of the annotated block.
fn doc_of_type(plugin: &PluginEntry) -> String {
    let declared = &plugin.declared;
    let Ok(file) = syn::parse_file(declared.place.file.text()) else { return String::new() };
    let is_type = |item: &Item| match item {
        Item::Struct(item) if item.ident == declared.decl.name => Some(doc(&item.attrs)),
        _ => None,
    };
    file.items.iter().find_map(is_type).unwrap_or_default()
}

fn doc(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}
