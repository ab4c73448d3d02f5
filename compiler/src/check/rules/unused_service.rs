//! A service that nobody injects.

use super::dead_row::is_dead;
use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::ItemId;

/// `DSH0311`
pub static RULE: Rule = Rule::warning("DSH0311", "a row provides a service that no row injects", include_str!("unused_service.md"));

/// Warns of services that are of use in no combination of conditions, in rows that have another effect.
pub fn unused_services(graphs: &[Graph<'_>], problems: &mut Diagnostics) {
    let Some(graph) = graphs.first() else { return };
    for (at, row) in graph.rows.mounted.iter().enumerate() {
        let on: Vec<&Graph<'_>> = graphs.iter().filter(|graph| row.is_on(graph.combination)).collect();
        let is_idle = |service: &&ItemId| on.iter().all(|graph| !is_used(graph, at, service));
        for service in row.plugin.provides.iter().filter(is_idle).filter(|_| on.iter().any(|graph| !is_dead(graph, at))) {
            problems.report(
                Diagnostic::new(&RULE, format!("no row injects the service {}", graph.key(service)))
                    .at(graph.plugin_place(at), format!("row `{}` provides it", graph.id(at)))
                    .help("add the row that was meant to use it, or remove this one when it does nothing else"),
            );
        }
    }
}

/// Whether a row that mounts takes a service from a row, or has tools for it to hold.
pub fn is_used(graph: &Graph<'_>, row: usize, service: &ItemId) -> bool {
    graph.on().any(|user| graph.asks(user, service) && graph.provider(user, service) == Some(row))
}
