//! The parts of a row, each with its place and with what it replaced.

use dsh_declare::model::FieldType;
use dsh_language::document::{inline, names, switch};
use serde::Serialize;

use super::config_field::{config_field, steps};
use crate::diagnostics::Place;
use crate::index::{Index, PluginEntry};
use crate::load::{Given, Node, NodeKind};
use crate::resolve::{Row, Setting};

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    /// The value in YAML.
    pub value: String,
    /// `file:line:column`.
    pub at: String,
}

/// A part of a row: `plugin`, `disabled`, `isolate`, or a value in its config such as `config.models[0].id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Which part.
    pub key: String,
    /// What holds; `None` where a later layer replaced the whole config by one without it.
    pub value: Option<String>,
    /// Where that was written: the key of an entry of the config, else the value; or the key of the config that dropped the value.
    pub at: String,
    /// What earlier layers gave, oldest first.
    pub earlier: Vec<Written>,
}

impl Part {
    /// The value that holds, where there is one.
    #[must_use]
    pub fn written(&self) -> Option<Written> {
        self.value.as_ref().map(|value| Written { value: value.clone(), at: self.at.clone() })
    }
}

/// The parts of a row in the order plugin, config, disabled, isolate. What a later layer replaced was never checked: it is told only where a
/// plugin of the row declares a field for it that holds no secret.
#[must_use]
pub(super) fn parts(row: &Row, index: &Index) -> Vec<Part> {
    let mut parts = written_parts(row);
    for part in &mut parts {
        let Some(path) = part.key.strip_prefix("config.") else { continue };
        let path = steps(path);
        if !is_harmless(row, index, &path) {
            part.earlier.iter_mut().for_each(|written| HIDDEN.clone_into(&mut written.value));
        }
    }
    parts
}

fn is_harmless(row: &Row, index: &Index, path: &[String]) -> bool {
    let is_declared = |plugin| config_field(index, plugin, path).is_some();
    // A mapping in the place of a secret may hold one.
    let is_secret = |plugin| {
        (1..=path.len()).any(|length| config_field(index, plugin, &path[..length]).is_some_and(|field| holds_secret(&field.decl.ty)))
    };
    plugins(row, index).any(is_declared) && !plugins(row, index).any(is_secret)
}

/// What stands for a value that may be a secret.
const HIDDEN: &str = "(hidden: it may be a secret)";

/// Every plugin that the row ever had.
fn plugins<'a>(row: &'a Row, index: &'a Index) -> impl Iterator<Item = &'a PluginEntry> {
    let given = row.plugin.iter().flat_map(|plugin| plugin.earlier.iter().chain([&plugin.current]));
    given.filter_map(|given| index.plugins.get(given.value.as_deref()?))
}

fn holds_secret(ty: &FieldType) -> bool {
    match ty {
        FieldType::SecretEnv => true,
        FieldType::Option(inner) | FieldType::List(inner) | FieldType::Map(inner) => holds_secret(inner),
        FieldType::Text | FieldType::Bool | FieldType::Int(_) | FieldType::Float | FieldType::Path | FieldType::Named(_) => false,
    }
}

fn written_parts(row: &Row) -> Vec<Part> {
    let plugin = row.plugin.as_ref().map(|plugin| scalar("plugin", plugin, |name| name.clone().unwrap_or_default()));
    let disabled = row.disabled.as_ref().map(|disabled| scalar("disabled", disabled, switch));
    let isolate = row.isolate.as_ref().map(|isolate| scalar("isolate", isolate, |keys| names(keys)));
    plugin.into_iter().chain(row.config.iter().flat_map(config)).chain(disabled).chain(isolate).collect()
}

fn scalar<T>(key: &str, setting: &Setting<T>, text: impl Fn(&T) -> String) -> Part {
    let written = |given: &Given<T>| Written { value: text(&given.value), at: given.place.to_string() };
    let Written { value, at } = written(&setting.current);
    Part { key: key.to_owned(), value: Some(value), at, earlier: setting.earlier.iter().map(written).collect() }
}

/// The values of a config, those that hold first, then those that a replacement dropped.
fn config(setting: &Setting<Node>) -> Vec<Part> {
    let earlier: Vec<Vec<Leaf>> = setting.earlier.iter().map(leaves).collect();
    let before = |path: &str| earlier.iter().flatten().filter(|leaf| leaf.path == path).map(Leaf::written).collect::<Vec<_>>();
    let current = leaves(&setting.current);
    let mut parts: Vec<Part> = current
        .iter()
        .map(|leaf| Part { key: leaf.path.clone(), value: Some(leaf.value.clone()), at: leaf.at.to_string(), earlier: before(&leaf.path) })
        .collect();
    for leaf in earlier.iter().flatten() {
        if !parts.iter().any(|part| part.key == leaf.path) {
            let at = setting.current.key.to_string();
            parts.push(Part { key: leaf.path.clone(), value: None, at, earlier: before(&leaf.path) });
        }
    }
    parts
}

struct Leaf {
    path: String,
    value: String,
    at: Place,
}

impl Leaf {
    fn written(&self) -> Written {
        Written { value: self.value.clone(), at: self.at.to_string() }
    }
}

fn leaves(given: &Given<Node>) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(&given.value, "config", &given.key, &mut found);
    found
}

/// An entry is at its key, an element where it starts.
fn collect(node: &Node, path: &str, at: &Place, found: &mut Vec<Leaf>) {
    match &node.kind {
        NodeKind::Map(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                collect(value, &format!("{path}.{}", key.text), &key.place, found);
            }
        }
        NodeKind::List(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &format!("{path}[{index}]"), &item.place, found);
            }
        }
        _ => found.push(Leaf { path: path.to_owned(), value: inline(node), at: at.clone() }),
    }
}
