//! Whether what the wiring names can be named: plugins, their config and inject types, and events, by the root of their library.

use super::entry::{Declared, Index, ItemId, PluginEntry};
use super::rules::hidden_type::hidden_type;
use super::table::Table;
use crate::diagnostics::{Diagnostics, Place};

/// Reports each type that the wiring names and that its library's root does not make public.
pub(super) fn check(table: &Table, index: &Index, diagnostics: &mut Diagnostics) {
    let mut named: Vec<(&ItemId, &Place)> = index.events.values().map(of).collect();
    for plugin in index.plugins.values() {
        named.push(of(&plugin.declared));
        named.extend(plugin.inject.as_ref().and_then(|id| index.injects.get(id)).map(of));
        named.extend(configs(plugin, index));
    }
    for (id, place) in named {
        if table.exports.get(&id.package).is_some_and(|exports| !exports.hold(&id.name)) {
            diagnostics.report(hidden_type(id, place));
        }
    }
}

fn of<T>(declared: &Declared<T>) -> (&ItemId, &Place) {
    (&declared.id, &declared.place)
}

/// A plugin's config type and those inside of it.
fn configs<'i>(plugin: &PluginEntry, index: &'i Index) -> Vec<(&'i ItemId, &'i Place)> {
    let mut found = Vec::new();
    let mut open: Vec<_> = plugin.config.as_ref().and_then(|id| index.configs.get(id)).into_iter().collect();
    while let Some(config) = open.pop() {
        if !found.contains(&of(config)) {
            found.push(of(config));
            open.extend(config.decl.named().into_iter().filter_map(|name| index.config(&config.id.package, name)));
        }
    }
    found
}
