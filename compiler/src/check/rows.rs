//! Checks each row by itself: whether it mounts, its plugin, its config.

use super::StructValue;
use super::{rules, schemas};
use crate::diagnostics::Diagnostics;
use crate::index::{Index, PluginEntry};
use crate::load::{Given, Switch};
use crate::resolve::{Composition, Row};
use dsh_language::check::rules::{config_of_none, constant_expression, is_empty_config};
use dsh_language::check::{ConfigReader, Expressions, PluginAt, boolean};

/// The rows of a composition after each was checked by itself.
pub struct Rows<'a> {
    /// Rows that mount, in order.
    pub mounted: Vec<MountedRow<'a>>,
    /// Rows with a known plugin that a `disabled` keeps from mounting.
    pub disabled: Vec<(&'a Row, &'a PluginEntry)>,
    /// Whether these are all rows: when not, nothing may be concluded from the absence of one.
    pub is_whole: bool,
}

/// A row that mounts.
pub struct MountedRow<'a> {
    /// The row.
    pub row: &'a Row,
    /// Its plugin.
    pub plugin: &'a PluginEntry,
    /// Its config; `None` when the plugin takes none, or when it is not right.
    pub config: Option<StructValue>,
}

/// Checks each row by itself.
pub fn check_rows<'a>(composition: &'a Composition, index: &'a Index, problems: &mut Diagnostics) -> Rows<'a> {
    let schemas = schemas(index);
    let expressions = Expressions::new(&composition.profile.name.text);
    let mut rows = Rows { mounted: Vec::new(), disabled: Vec::new(), is_whole: composition.complete };
    for row in composition.rows.iter().filter(|row| !row.is_group) {
        let is_disabled = match &row.disabled {
            None => Some(false),
            Some(disabled) => is_disabled(&disabled.current, row, &expressions, problems),
        };
        let plugin = plugin(row, index, problems);
        let Some(plugin) = plugin else {
            // A row that is certainly disabled provides nothing, whatever its plugin is.
            rows.is_whole &= is_disabled == Some(true);
            continue;
        };
        let demands = is_disabled == Some(false);
        let named = PluginAt { name: &plugin.name, place: Some(&plugin.declared.place) };
        let mut reader = ConfigReader::new(&schemas, &expressions, named, problems);
        reader.written_for = written_for(row);
        reader.demands = demands;
        let config = config(row, plugin, reader);
        match is_disabled {
            Some(false) => {
                rules::platform(row, plugin, problems);
                rows.mounted.push(MountedRow { row, plugin, config });
            }
            Some(true) => rows.disabled.push((row, plugin)),
            None => rows.is_whole = false,
        }
    }
    rows
}

/// `None` when it cannot be told; a diagnostic says why.
fn is_disabled(given: &Given<Switch>, row: &Row, expressions: &Expressions, problems: &mut Diagnostics) -> Option<bool> {
    let text = match &given.value {
        Switch::Literal(value) => return Some(*value),
        Switch::Unknown => return None,
        Switch::Expression(text) => text,
    };
    match expressions.analyse(text) {
        Err(faults) => {
            faults.into_iter().for_each(|fault| problems.report(fault.diagnostic(&given.place, text)));
            None
        }
        Ok(analysis) if analysis.reads_machine => {
            problems.report(rules::unsupported_condition(&given.place, &row.id.text));
            None
        }
        Ok(analysis) => match analysis.value.and_then(|value| boolean(&value)) {
            Ok(value) => Some(value),
            Err(message) => {
                problems.report(constant_expression(&given.place, "`disabled`", &message));
                None
            }
        },
    }
}

fn plugin<'i>(row: &Row, index: &'i Index, problems: &mut Diagnostics) -> Option<&'i PluginEntry> {
    let given = &row.plugin.as_ref()?.current;
    let name = given.value.as_deref()?;
    let found = index.plugins.get(name);
    if found.is_none() {
        problems.report(rules::unknown_plugin(name, &given.place, index));
    }
    found
}

/// A note on a config that came with the row and outlived the plugin that it was written for.
fn written_for(row: &Row) -> Option<String> {
    let (plugin, config) = (row.plugin.as_ref()?, row.config.as_ref()?);
    let first = plugin.earlier.first().filter(|_| config.earlier.is_empty())?.value.as_deref()?;
    let by = &plugin.current.key;
    // A config that a later layer gave came with the plugin that the same layer gave, or after it.
    (config.current.key.file.name() != by.file.name())
        .then(|| format!("the config was written for plugin `{first}`, which {by} replaced; write `config: {{}}` there to drop it"))
}

fn config(row: &Row, plugin: &PluginEntry, mut reader: ConfigReader<'_>) -> Option<StructValue> {
    let given = row.config.as_ref().map(|config| &config.current);
    let Some(item) = &plugin.config else {
        if let Some(given) = given.filter(|given| !is_empty_config(&given.value)) {
            reader.problems.report(config_of_none(&given.key, &plugin.name).note_if(reader.written_for));
        }
        return None;
    };
    // The plugin's name stands for the config that the row does not give.
    let anchor = given.map(|given| &given.key).or(row.plugin.as_ref().map(|plugin| &plugin.current.place)).unwrap_or(&row.id.place);
    reader.config(item, given.map(|given| &given.value), anchor)
}
