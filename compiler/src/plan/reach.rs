//! What rows reach outside of the process, under their configs.

use dsh_declare::model::ReachDecl;

use super::model::PlannedHost;
use crate::check::{CheckedRow, StructValue, Value};
use crate::index::PluginEntry;

/// The target with the values of a config in the place of fields, as far as they are known before a start. `None` where the config has a
/// field empty: then nothing is reached.
pub(crate) fn target(reach: &ReachDecl, config: Option<&StructValue>) -> Option<String> {
    let mut target = reach.target.value.clone();
    for field in reach.fields() {
        match config.and_then(|config| config.fields.iter().find(|(name, _)| name == field)) {
            Some((_, Value::Option(None))) => return None,
            Some((_, value)) => {
                if let Some(text) = text(value) {
                    target = target.replace(&format!("{{{field}}}"), text);
                }
            }
            None => {}
        }
    }
    Some(target)
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) | Value::Path(text) => Some(text),
        Value::Option(Some(inner)) => text(inner),
        _ => None,
    }
}

/// The hosts of a row.
pub(super) fn hosts<'a>(row: &'a CheckedRow, plugin: &'a PluginEntry) -> impl Iterator<Item = PlannedHost> + 'a {
    plugin.declared.decl.hosts.iter().filter_map(|reach| {
        let host = target(reach, row.config.as_ref())?;
        Some(PlannedHost { row: row.id.clone(), host, meaning: reach.meaning.value.clone() })
    })
}
