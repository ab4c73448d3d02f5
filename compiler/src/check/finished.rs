//! What a composition is once everything about it was found right.

use std::collections::BTreeMap;

use super::graph::{Graph, tool_registry};
use super::groups::{Realm, State};
use super::rows::{MountedRow, Rows};
use super::takes::taken;
use super::tools::tools;
use super::{Checked, CheckedGroup, CheckedPreset, CheckedRow, Disabled, Documents, Exclusive, Provider};
use crate::index::{ItemId, WantKind};
use crate::load::{Given, Switch};
use crate::resolve::Composition;

/// The result for the next stage. Only for graphs in which nothing was refused.
pub(super) fn finished(composition: &Composition, rows: &Rows<'_>, graphs: &[Graph<'_>]) -> Checked {
    let profile = &composition.profile;
    let of = |preset: Option<usize>| {
        let own = (0..rows.mounted.len()).filter(|at| rows.mounted[*at].preset == preset);
        own.map(|at| checked_row(rows, graphs, at)).collect::<Vec<_>>()
    };
    let preset = |(at, name): (usize, &&crate::load::Named)| CheckedPreset { name: name.text.clone(), rows: of(Some(at)) };
    Checked {
        profile: profile.name.text.clone(),
        aliases: profile.aliases.iter().map(|alias| alias.text.clone()).collect(),
        is_sealed: profile.build.is_sealed,
        fixed: profile.build.fixed(),
        rows: of(None),
        presets: rows.presets.iter().enumerate().map(preset).collect(),
        groups: groups(rows),
        exclusives: exclusives(rows, graphs),
        documents: Documents::of(composition),
    }
}

fn checked_row(rows: &Rows<'_>, graphs: &[Graph<'_>], at: usize) -> CheckedRow {
    let MountedRow { id, row, plugin, config, group, condition, .. } = &rows.mounted[at];
    let on: Vec<&Graph<'_>> = graphs.iter().filter(|graph| rows.mounted[at].is_on(graph.combination)).collect();
    // Of a preset's row, its preset's providers go before the composition's.
    let precedence = |provider: &usize| (rows.mounted[*provider].preset.is_none(), *provider);
    let providers = |service: &ItemId| -> Vec<Provider> {
        let mut found: Vec<usize> = on.iter().filter_map(|graph| graph.provider(at, service)).collect();
        found.sort_unstable_by_key(precedence);
        found.dedup();
        found.into_iter().map(|provider| Provider { service: service.clone(), row: rows.mounted[provider].id.clone() }).collect()
    };
    let wanted = plugin.wants.iter().filter_map(|want| match &want.kind {
        WantKind::Required(service) | WantKind::Optional(service) => Some(providers(service)),
        WantKind::Dispatch(_) => None,
    });
    let mut needs: Vec<String> = Vec::new();
    for need in on.iter().flat_map(|graph| graph.needs(at)) {
        let id = rows.mounted[need.provider].id.clone();
        if !needs.contains(&id) {
            needs.push(id);
        }
    }
    let has_tools = !plugin.declared.decl.tools.is_empty();
    let registries = if has_tools { providers(&tool_registry()) } else { Vec::new() };
    let mut around: Vec<String> = rows.groups.around(*group).map(|(around, _)| group_id(rows, around)).collect();
    around.reverse();
    CheckedRow {
        id: id.clone(),
        plugin: plugin.name.clone(),
        file: row.id.place.file.origin().to_owned(),
        config_file: row.config.as_ref().map_or(&row.id.place, |config| &config.current.key).file.origin().to_owned(),
        config: config.clone(),
        disabled: condition.and_then(|(_, given)| disabled(given)),
        groups: around,
        providers: wanted.collect(),
        needs,
        tool_registries: registries.into_iter().map(|provider| provider.row).collect(),
    }
}

fn disabled(given: &Given<Switch>) -> Option<Disabled> {
    match &given.value {
        Switch::Expression(text) => Some(Disabled { text: text.trim().to_owned(), file: given.key.file.origin().to_owned() }),
        Switch::Literal(_) | Switch::Unknown => None,
    }
}

fn group_id(rows: &Rows<'_>, group: usize) -> String {
    let id = &rows.groups.known[group].row.id.text;
    rows.groups.known[group].preset.map_or_else(|| id.clone(), |preset| format!("{}/{id}", rows.presets[preset].text))
}

/// The groups that are not off whatever the machine says.
fn groups(rows: &Rows<'_>) -> Vec<CheckedGroup> {
    let known = rows.groups.known.iter().enumerate();
    let is_carried = |at: usize| !rows.groups.around(Some(at)).any(|(_, group)| matches!(group.state, State::Off(_)));
    let group = |(at, group): (usize, &super::groups::Group<'_>)| CheckedGroup {
        id: group_id(rows, at),
        parent: group.parent.map(|parent| group_id(rows, parent)),
        disabled: if let State::When(_, given) = group.state { disabled(given) } else { None },
        isolates: group.isolates().iter().map(|key| key.text.clone()).collect(),
    };
    known.filter(|(at, _)| is_carried(*at)).map(group).collect()
}

/// What several rows have and only one may at a time. A row's conditions see to that; an overlay at start could break it.
fn exclusives(rows: &Rows<'_>, graphs: &[Graph<'_>]) -> Vec<Exclusive> {
    let Some(graph) = graphs.first() else { return Vec::new() };
    let mut held: BTreeMap<(Realm, String), Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.mounted.iter().enumerate() {
        let decl = &row.plugin.declared.decl;
        let provided = row.plugin.provides.iter().map(|service| (graph.realm(at, service), format!("the service {}", graph.key(service))));
        let verbs = decl.verbs.iter().map(|verb| (Realm::Outermost, format!("the word `{}`", verb.verb.value)));
        let serves = decl.serve.iter().map(|_| (Realm::Outermost, "stdin and stdout".to_owned()));
        for key in provided.chain(verbs).chain(serves) {
            held.entry(key).or_default().push(at);
        }
    }
    for tool in graphs.iter().flat_map(tools) {
        if let Some(name) = tool.name(graph) {
            let rows = held.entry((graph.realm(tool.row, graph.tool_registry()), format!("the tool `{name}`"))).or_default();
            if !rows.contains(&tool.row) {
                rows.push(tool.row);
            }
        }
    }
    for graph in graphs {
        for taken in taken(graph) {
            let rows = held.entry((graph.realm(taken.provider, taken.service), taken.words(graph))).or_default();
            if !rows.contains(&taken.row) {
                rows.push(taken.row);
            }
        }
    }
    let several = held.into_iter().filter(|(_, rows)| rows.len() > 1);
    several
        .map(|((realm, what), at)| Exclusive {
            what: format!("{what}{}", graph.inside(realm)),
            rows: at.into_iter().map(|at| rows.mounted[at].id.clone()).collect(),
        })
        .collect()
}
