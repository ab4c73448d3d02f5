//! A service that nobody injects.

use super::dead_row::is_dead;
use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::{ItemId, WantKind};

/// `DSH0311`
pub static RULE: Rule = Rule::warning("DSH0311", "a row provides a service that no row injects", include_str!("unused_service.md"));

/// Warns of services without use, in rows that have another effect.
pub fn unused_services(graph: &Graph<'_>, problems: &mut Diagnostics) {
    for (at, row) in graph.rows.iter().enumerate().filter(|(at, _)| !is_dead(graph, *at)) {
        for service in row.plugin.provides.iter().filter(|service| !is_used(graph, service)) {
            problems.report(
                Diagnostic::new(&RULE, format!("no row injects the service {}", graph.key(service)))
                    .at(graph.plugin_place(at), format!("row `{}` provides it", graph.id(at)))
                    .help("add the row that was meant to use it, or remove this one when it does nothing else"),
            );
        }
    }
}

/// Whether a row that mounts asks for a service, or has tools for it to hold.
pub fn is_used(graph: &Graph<'_>, service: &ItemId) -> bool {
    let asks = |wants: &[crate::index::Want]| {
        wants.iter().any(|want| matches!(&want.kind, WantKind::Required(asked) | WantKind::Optional(asked) if asked == service))
    };
    let holds_tools = service == graph.tool_registry() && (0..graph.rows.len()).any(|row| graph.has_tools(row));
    holds_tools || graph.rows.iter().any(|row| asks(&row.plugin.wants))
}
