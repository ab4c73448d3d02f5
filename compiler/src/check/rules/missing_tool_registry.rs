//! Tools without a registry.

use std::collections::{BTreeMap, BTreeSet};

use super::missing_service::with_candidates;
use crate::check::graph::Graph;
use crate::check::groups::Realm;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::WantKind;
use crate::resolve::Composition;

/// `DSH0304`
pub static RULE: Rule =
    Rule::error("DSH0304", "rows declare tools and no row provides the tool registry", include_str!("missing_tool_registry.md"));

/// Reports rows with tools when there is no registry. Where a row asks for the registry itself, that it is missing is told already.
pub fn missing_tool_registry(graph: &Graph<'_>, composition: &Composition, problems: &mut Diagnostics) {
    let registry = graph.tool_registry();
    let asks = |row: usize| graph.rows.mounted[row].plugin.wants.iter().any(|want| want.kind == WantKind::Required(registry.clone()));
    let mut lacking: BTreeMap<Realm, Vec<usize>> = BTreeMap::new();
    let mut told: BTreeSet<Realm> = BTreeSet::new();
    for row in graph.on().filter(|row| graph.provider(*row, registry).is_none()) {
        let realm = graph.realm(row, registry);
        if asks(row) {
            told.insert(realm);
        }
        if graph.has_tools(row) {
            lacking.entry(realm).or_default().push(row);
        }
    }
    for (realm, rows) in lacking.into_iter().filter(|(realm, _)| !told.contains(realm)) {
        problems.report(without_registry(graph, composition, realm, &rows));
    }
}

fn without_registry(graph: &Graph<'_>, composition: &Composition, realm: Realm, rows: &[usize]) -> Diagnostic {
    let registry = graph.tool_registry();
    let mut found = Diagnostic::new(&RULE, format!("no row provides the tool registry {}{}", graph.key(registry), graph.inside(realm)));
    for (at, row) in rows.iter().enumerate() {
        let (place, id) = (graph.plugin_place(*row), graph.id(*row));
        found = match at {
            0 => found.at(place, format!("row `{id}` has tools to register")),
            _ => found.and(place, format!("row `{id}` has tools too")),
        };
    }
    with_candidates(found, graph, composition, registry, realm)
}
