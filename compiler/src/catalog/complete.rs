//! Catalogs are complete: each declaration stands in one, and each tool in that of a profile.

use std::collections::BTreeSet;

use dsh_declare::model::{FromConfig, Text};

use super::rules::unbooted_tool::unbooted_tool;
use super::rules::unshown::unshown;
use super::{CATALOGS, Subject};
use crate::diagnostics::{Diagnostics, Place};
use crate::index::{Declared, Index, ItemId};
use crate::inventory::Inventory;
use crate::plan::Plan;

/// Reports declarations that no catalog of the workspace shows, and tools that none of its profiles boots.
pub(crate) fn check<'p>(index: &Index, plans: impl Iterator<Item = &'p Plan>, problems: &mut Diagnostics) {
    let inventory = Inventory::default();
    let workspace = Subject::workspace(index, &inventory);
    let shown: BTreeSet<ItemId> = CATALOGS.iter().flat_map(|catalog| (catalog.content)(&workspace).shown).collect();
    for (kind, id, place) in declared(index).filter(|(_, id, _)| !shown.contains(id)) {
        problems.report(unshown(id, kind, place));
    }
    let booted: BTreeSet<&str> = plans.flat_map(|plan| plan.plugins.keys()).map(String::as_str).collect();
    for plugin in index.plugins.values().filter(|plugin| !booted.contains(plugin.name.as_str())) {
        for tool in &plugin.declared.decl.tools {
            problems.report(unbooted_tool(plugin, &name(&tool.tool)));
        }
    }
}

fn name(name: &FromConfig<Text>) -> String {
    match name {
        FromConfig::Literal(text) => text.value.clone(),
        FromConfig::Field(field) => format!("config.{field}"),
    }
}

/// Every declaration but plugins, which are what catalogs are made from.
fn declared(index: &Index) -> impl Iterator<Item = (&'static str, &ItemId, &Place)> {
    let services = index.services.values().map(|found| of("a service", found));
    let events = index.events.values().map(|found| of("an event", found));
    let configs = index.configs.values().map(|found| of("a config type", found));
    let injects = index.injects.values().map(|found| of("an inject struct", found));
    let tool_args = index.tool_args.values().map(|found| of("a type of arguments", found));
    let session_events = index.session_events.values().map(|found| of("a session event", found));
    services.chain(events).chain(configs).chain(injects).chain(tool_args).chain(session_events)
}

fn of<'i, T>(kind: &'static str, found: &'i Declared<T>) -> (&'static str, &'i ItemId, &'i Place) {
    (kind, &found.id, &found.place)
}
