//! From a checked composition to the order and the values of its wiring. Pure: no IO, nothing that can fail.

mod digest;
mod model;
mod optional;
mod order;
mod reach;
mod report;
mod surroundings;
mod vocabulary;

pub use model::{
    Contribution, Crate, Heard, Injected, OffWhen, Plan, PlannedHost, PlannedPlugin, PlannedPreset, PlannedRow, PlannedTopic,
    PlannedVocabulary, Read, Supply, Surroundings, VerbEntry,
};
pub(crate) use reach::target;
pub use report::{Listener, Report};
pub(crate) use vocabulary::{Word, digest_of, vocabulary};

use std::collections::{BTreeMap, BTreeSet};

use dsh_declare::model::ServiceKind;

use crate::check::{Checked, CheckedPreset, CheckedRow};
use crate::index::{Index, ItemId, PluginEntry, RUNTIME, WantKind};
use optional::Optional;

/// Plans a composition.
///
/// # Panics
/// When `checked` was not made with `index`: a row's plugin is missing from it, or the rows' needs form a cycle. The check
/// stage refuses both, so this is a fault of the compiler.
#[must_use]
pub fn plan(checked: &Checked, index: &Index) -> Plan {
    let plugins: BTreeMap<String, PlannedPlugin> =
        all_rows(checked).map(|row| (row.plugin.clone(), plugin(entry(index, &row.plugin)))).collect();
    let topics = topics(checked, index);
    let mut optional = Optional::new(checked);
    let rows = rows(&checked.rows, 0, index, &mut optional);
    let mut first = checked.rows.len();
    let mut preset = |preset: &CheckedPreset| {
        let rows = rows_of_preset(preset, first, index, &mut optional);
        first += preset.rows.len();
        rows
    };
    let digest = digest::digest(checked, index);
    let crates = crates(&plugins, &topics, index);
    let vocabulary = planned_vocabulary(index, &crates);
    let serving = checked.rows.iter().filter(|row| entry(index, &row.plugin).declared.decl.serve.is_some());
    Plan {
        profile: checked.profile.clone(),
        aliases: checked.aliases.clone(),
        is_sealed: checked.is_sealed,
        surroundings: surroundings::surroundings(checked, index),
        presets: checked.presets.iter().map(&mut preset).collect(),
        groups: checked.groups.clone(),
        exclusives: checked.exclusives.clone(),
        digest: digest.composition,
        row_digests: digest.rows,
        frame_digest: digest.frame,
        rows,
        crates,
        service_keys: service_keys(&plugins, index),
        plugins,
        topics,
        contributions: contributions(&checked.rows, index),
        documents: checked.documents.clone(),
        prompts: all_rows(checked)
            .filter(|row| entry(index, &row.plugin).declared.decl.prompt.is_some())
            .map(|row| row.id.clone())
            .collect(),
        serve: serving.map(|row| row.id.clone()).collect(),
        verbs: verbs(checked, index),
        hosts: all_rows(checked).flat_map(|row| reach::hosts(row, entry(index, &row.plugin))).collect(),
        vocabulary,
    }
}

fn entry<'i>(index: &'i Index, plugin: &str) -> &'i PluginEntry {
    index.plugins.get(plugin).unwrap_or_else(|| panic!("the checked plugin `{plugin}` is not in the index"))
}

fn plugin(entry: &PluginEntry) -> PlannedPlugin {
    let service = |want: &WantKind| match want {
        WantKind::Required(id) => Some(id.to_string()),
        WantKind::Optional(id) => Some(format!("?{id}")),
        WantKind::Dispatch(_) => None,
    };
    let dispatched = |want: &WantKind| if let WantKind::Dispatch(id) = want { Some(id.to_string()) } else { None };
    PlannedPlugin {
        item: entry.declared.id.clone(),
        config: entry.config.clone(),
        inject: entry.inject.clone(),
        digest: entry.declared.digest,
        provides: entry.provides.iter().map(ItemId::to_string).collect(),
        listens: entry.listens.iter().map(|listen| listen.event.to_string()).collect(),
        services: entry.wants.iter().filter_map(|want| service(&want.kind)).collect(),
        dispatches: entry.wants.iter().filter_map(|want| dispatched(&want.kind)).collect(),
    }
}

/// Every row, those of presets after the composition's.
fn all_rows(checked: &Checked) -> impl Iterator<Item = &CheckedRow> {
    checked.rows.iter().chain(checked.presets.iter().flat_map(|preset| &preset.rows))
}

fn rows_of_preset(preset: &CheckedPreset, first: usize, index: &Index, optional: &mut Optional<'_>) -> PlannedPreset {
    PlannedPreset {
        name: preset.name.clone(),
        rows: rows(&preset.rows, first, index, optional),
        contributions: contributions(&preset.rows, index),
    }
}

/// Rows in mount order; `first` is the place of the first of them among all.
fn rows(checked: &[CheckedRow], first: usize, index: &Index, optional: &mut Optional<'_>) -> Vec<PlannedRow> {
    order::mount_order(checked).into_iter().map(|place| row(&checked[place], first + place, index, optional)).collect()
}

fn row(checked: &CheckedRow, place: usize, index: &Index, optional: &mut Optional<'_>) -> PlannedRow {
    let plugin = entry(index, &checked.plugin);
    let mut providers = checked.providers.iter();
    let mut supply = |want: &WantKind| match want {
        WantKind::Dispatch(event) => Supply::Dispatcher(event.clone()),
        WantKind::Required(service) | WantKind::Optional(service) => {
            let rows: Vec<String> = providers.next().into_iter().flatten().map(|provider| provider.row.clone()).collect();
            let optional = matches!(want, WantKind::Optional(_));
            match rows.as_slice() {
                [] if optional => Supply::Absent(service.clone()),
                [] => panic!("row `{}` has no provider of `{service}`", checked.id),
                _ => Supply::Service { service: service.clone(), rows, optional, is_trait: is_trait(index, service) },
            }
        }
    };
    let injects: Vec<Injected> =
        plugin.wants.iter().map(|want| Injected { field: want.field.clone(), supply: supply(&want.kind) }).collect();
    PlannedRow {
        id: checked.id.clone(),
        place,
        plugin: checked.plugin.clone(),
        file: checked.file.clone(),
        config_file: checked.config_file.clone(),
        config: checked.config.clone(),
        disabled: checked.disabled.clone(),
        groups: checked.groups.clone(),
        may_be_off: optional.may_be_off(checked, &injects),
        injects,
    }
}

fn is_trait(index: &Index, service: &ItemId) -> bool {
    index.services.get(service).is_some_and(|service| service.decl.kind == ServiceKind::Trait)
}

/// Every event that a row dispatches or hears, with its listeners in the order in which they run.
fn topics(checked: &Checked, index: &Index) -> Vec<PlannedTopic> {
    let mut topics: BTreeMap<ItemId, PlannedTopic> = BTreeMap::new();
    for (place, row) in all_rows(checked).enumerate() {
        let plugin = entry(index, &row.plugin);
        for want in &plugin.wants {
            if let WantKind::Dispatch(event) = &want.kind {
                topic(&mut topics, event, index).dispatchers.push(row.id.clone());
            }
        }
        for listen in &plugin.listens {
            let heard = Heard { row: row.id.clone(), place, position: listen.position };
            topic(&mut topics, &listen.event, index).listeners.push(heard);
        }
    }
    let mut topics: Vec<PlannedTopic> = topics.into_values().collect();
    for topic in &mut topics {
        topic.listeners.sort_by_key(|heard| (heard.position, heard.place));
    }
    topics
}

fn topic<'t>(topics: &'t mut BTreeMap<ItemId, PlannedTopic>, event: &ItemId, index: &Index) -> &'t mut PlannedTopic {
    topics.entry(event.clone()).or_insert_with(|| {
        let declared = index.events.get(event).unwrap_or_else(|| panic!("the event `{event}` is not in the index"));
        let (name, mode) = (declared.decl.event.value.clone(), declared.decl.mode);
        PlannedTopic { event: event.clone(), name, mode, dispatchers: Vec::new(), listeners: Vec::new() }
    })
}

fn contributions(rows: &[CheckedRow], index: &Index) -> Vec<Contribution> {
    let of_row = |row: &CheckedRow| {
        if row.tool_registries.is_empty() {
            return None;
        }
        let tools = entry(index, &row.plugin).declared.decl.tools.iter().map(|tool| model::tool_name(&tool.tool, row.config.as_ref()));
        Some(Contribution { row: row.id.clone(), registries: row.tool_registries.clone(), tools: tools.collect() })
    };
    rows.iter().filter_map(of_row).collect()
}

fn verbs(checked: &Checked, index: &Index) -> Vec<VerbEntry> {
    let of_row = |row: &CheckedRow| {
        let verbs = &entry(index, &row.plugin).declared.decl.verbs;
        let words = verbs.iter().map(|verb| (verb.verb.value.clone(), verb.about.value.clone())).collect();
        (!verbs.is_empty()).then(|| VerbEntry { row: row.id.clone(), words })
    };
    checked.rows.iter().filter_map(of_row).collect()
}

fn service_keys(plugins: &BTreeMap<String, PlannedPlugin>, index: &Index) -> BTreeMap<String, String> {
    let named: BTreeSet<&str> =
        plugins.values().flat_map(|plugin| plugin.provides.iter().chain(&plugin.services)).map(|id| id.trim_start_matches('?')).collect();
    let of_composition = index.services.iter().map(|(id, service)| (id.to_string(), &service.decl.key.value));
    of_composition.filter(|(id, _)| named.contains(id.as_str())).map(|(id, key)| (id, key.clone())).collect()
}

/// The session events of the packages that the wiring names and of what these are linked with.
fn planned_vocabulary(index: &Index, crates: &BTreeMap<String, Crate>) -> PlannedVocabulary {
    let linked = crates.keys().filter_map(|name| index.packages.get(name)).flat_map(|package| &package.reaches);
    let words = vocabulary(index, &linked.map(String::as_str).collect());
    PlannedVocabulary {
        digest: digest_of(&words),
        words: words.iter().map(|word| (word.event.decl.event.value.clone(), word.short())).collect(),
    }
}

/// The packages that the wiring names: those of the plugins and of the events.
fn crates(plugins: &BTreeMap<String, PlannedPlugin>, topics: &[PlannedTopic], index: &Index) -> BTreeMap<String, Crate> {
    let of_plugins = plugins.values().map(|plugin| plugin.item.package.as_str());
    let of_topics = topics.iter().map(|topic| topic.event.package.as_str());
    let named: BTreeSet<&str> = of_plugins.chain(of_topics).chain(std::iter::once(RUNTIME)).collect();
    let of_package = |name: &str| {
        let package = index.packages.get(name).unwrap_or_else(|| panic!("the package `{name}` is not in the index"));
        (name.to_owned(), Crate { lib: package.lib.clone(), source: package.source.clone() })
    };
    named.into_iter().map(of_package).collect()
}
