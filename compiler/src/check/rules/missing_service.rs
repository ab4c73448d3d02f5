//! A service that a row needs and none provides.

use std::collections::{BTreeMap, VecDeque};

use crate::check::graph::Graph;
use crate::check::groups::{Group, Realm, State};
use crate::check::rows::DisabledRow;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule, quoted};
use crate::index::{ItemId, WantKind};
use crate::resolve::Composition;

/// `DSH0301`
pub static RULE: Rule = Rule::error("DSH0301", "a row needs a service that no row provides", include_str!("missing_service.md"));

/// Reports each service that rows need and none provides.
pub fn missing_services(graph: &Graph<'_>, composition: &Composition, problems: &mut Diagnostics) {
    let mut needed_by: BTreeMap<(Realm, &ItemId), Vec<usize>> = BTreeMap::new();
    for at in graph.on() {
        for want in &graph.rows.mounted[at].plugin.wants {
            if let WantKind::Required(service) = &want.kind
                && graph.provider(at, service).is_none()
            {
                needed_by.entry((graph.realm(at, service), service)).or_default().push(at);
            }
        }
    }
    for ((realm, service), rows) in needed_by {
        problems.report(missing_service(graph, composition, realm, service, &rows));
    }
}

fn missing_service(graph: &Graph<'_>, composition: &Composition, realm: Realm, service: &ItemId, rows: &[usize]) -> Diagnostic {
    let key = graph.key(service);
    let mut found = Diagnostic::new(&RULE, format!("no row provides the service {key}{}", graph.inside(realm)))
        .at(graph.plugin_place(rows[0]), format!("row `{}` needs {key}", graph.id(rows[0])));
    for row in &rows[1..] {
        found = found.and(graph.plugin_place(*row), format!("row `{}` needs it too", graph.id(*row)));
    }
    for (needed, by, through) in chain(graph, rows[0]) {
        found = found.note(format!(
            "row `{}` is needed by row `{}` ({}) for {}",
            graph.id(needed),
            graph.id(by),
            graph.plugin_place(by).file_line(),
            graph.key(&through)
        ));
    }
    with_candidates(found, graph, composition, service, realm)
}

/// Says what could provide a service: the rows that did before they were disabled or replaced, else plugins.
pub fn with_candidates(found: Diagnostic, graph: &Graph<'_>, composition: &Composition, service: &ItemId, realm: Realm) -> Diagnostic {
    let found = with_unseen_providers(found, graph, service, realm);
    if let Realm::Group(group) = realm {
        return with_realm(found, graph, service, group);
    }
    let before = found.helps.len();
    let found = with_absent_providers(with_lost_providers(found, graph, composition, service), graph, service);
    if found.helps.len() > before {
        return found;
    }
    let provides = graph.index.plugins.values().filter(|plugin| plugin.provides.contains(service));
    let candidates: Vec<&str> = provides.map(|plugin| plugin.name.as_str()).collect();
    match candidates.as_slice() {
        [] => found.note(format!("no plugin of the workspace provides {}", graph.key(service))),
        [only] if composition.row(only).is_none() => {
            found.help(format!("add a row with the plugin that provides it: `- insert: [{{id: {only}, plugin: {only}}}]`"))
        }
        [only] => found.help(format!("add a row with the plugin that provides it: `{only}`")),
        several => found.help(format!("add a row with one of the plugins that provide it: {}", quoted(several.iter().copied()))),
    }
}

/// Shows the rows of other realms that provide the service.
fn with_unseen_providers(mut found: Diagnostic, graph: &Graph<'_>, service: &ItemId, realm: Realm) -> Diagnostic {
    for (other, _, rows) in graph.provided().filter(|(other, provided, _)| *provided == service && *other != realm) {
        let inside = match other {
            Realm::Outermost => " outside of the realm".to_owned(),
            Realm::Preset(_) | Realm::Group(_) => graph.inside(other),
        };
        for row in rows {
            found = found
                .and(graph.plugin_place(*row), format!("row `{}` provides it{inside}, where it is not seen from here", graph.id(*row)));
        }
    }
    found
}

/// Shows what makes a realm of a group.
fn with_realm(mut found: Diagnostic, graph: &Graph<'_>, service: &ItemId, group: usize) -> Diagnostic {
    let Group { row: group, .. } = &graph.rows.groups.known[group];
    let key = graph.key(service);
    if let Some(isolate) = &group.isolate {
        found = found.and(&isolate.current.key, format!("what group `{}` holds sees no provider of {key} outside", group.id.text));
    }
    found.help(format!("insert a row that provides {key} `into: {}`, or take the key out of its `isolate`", group.id.text))
}

/// Shows the rows that would provide the service and are off in this combination of conditions.
fn with_absent_providers(mut found: Diagnostic, graph: &Graph<'_>, service: &ItemId) -> Diagnostic {
    for row in graph.rows.mounted.iter().filter(|row| !row.is_on(graph.combination) && row.plugin.provides.contains(service)) {
        let around = graph.rows.groups.around(row.group).filter_map(|(_, group)| match group.state {
            State::When(literal, given) => Some((literal, given)),
            _ => None,
        });
        let by = row.condition.into_iter().chain(around).find(|(literal, _)| graph.combination.makes(*literal));
        if let Some((_, given)) = by {
            found = found
                .and(&given.place, format!("row `{}` provides it, and is off where this is true", row.id))
                .help(format!("give the rows that need it the same condition, or add a provider for where `{}` is off", row.id));
        }
    }
    found
}

/// Shows the disabled and replaced rows that would provide the service.
fn with_lost_providers(mut found: Diagnostic, graph: &Graph<'_>, composition: &Composition, service: &ItemId) -> Diagnostic {
    for DisabledRow { row, plugin, by } in graph.rows.disabled.iter().filter(|row| row.plugin.provides.contains(service)) {
        found = found
            .and(&by.key, format!("row `{}` provides it, and is disabled here", row.id.text))
            .help(format!("enable row `{}` (plugin `{}`)", row.id.text, plugin.name));
    }
    for row in &composition.rows {
        let Some(plugin) = &row.plugin else { continue };
        let provides = |name: &str| graph.index.plugins.get(name).is_some_and(|entry| entry.provides.contains(service));
        let was = plugin.earlier.iter().rev().filter_map(|earlier| earlier.value.as_deref()).find(|name| provides(name));
        if let Some(was) = was.filter(|_| !plugin.value().as_deref().is_some_and(provides)) {
            found = found
                .and(&plugin.current.key, format!("row `{}` mounted `{was}`, which provides it, until it was replaced here", row.id.text))
                .help(format!("mount `{was}` in row `{}` again, or in another row", row.id.text));
        }
    }
    found
}

/// Who needs a row, and who needs that, up to a row that none needs: (needed row, row that needs it, service).
fn chain(graph: &Graph<'_>, from: usize) -> Vec<(usize, usize, ItemId)> {
    let mut reached: BTreeMap<usize, Option<(usize, ItemId)>> = BTreeMap::from([(from, None)]);
    let mut queue = VecDeque::from([from]);
    let mut last = from;
    while let Some(needed) = queue.pop_front() {
        let users: Vec<(usize, ItemId)> = graph
            .on()
            .flat_map(|by| graph.needs(by).into_iter().map(move |need| (by, need)))
            .filter(|(by, need)| need.provider == needed && *by != needed)
            .map(|(by, need)| (by, need.service))
            .collect();
        last = needed;
        if users.is_empty() {
            break;
        }
        for (by, service) in users {
            if let std::collections::btree_map::Entry::Vacant(entry) = reached.entry(by) {
                entry.insert(Some((needed, service)));
                queue.push_back(by);
            }
        }
    }
    let mut links = Vec::new();
    while let Some(Some((needed, service))) = reached.get(&last) {
        links.push((*needed, last, service.clone()));
        last = *needed;
    }
    links.reverse();
    links
}
