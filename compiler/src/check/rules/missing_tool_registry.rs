//! Tools without a registry.

use super::missing_service::with_candidates;
use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::WantKind;
use crate::resolve::Composition;

/// `DSH0304`
pub static RULE: Rule =
    Rule::error("DSH0304", "rows declare tools and no row provides the tool registry", include_str!("missing_tool_registry.md"));

/// Reports rows with tools when there is no registry. Where a row asks for the registry itself, that it is missing is told already.
pub fn missing_tool_registry(graph: &Graph<'_>, composition: &Composition, problems: &mut Diagnostics) {
    let registry = graph.tool_registry();
    let asks = |row: usize| graph.rows[row].plugin.wants.iter().any(|want| want.kind == WantKind::Required(registry.clone()));
    if graph.provider(registry).is_some() || (0..graph.rows.len()).any(asks) {
        return;
    }
    let rows: Vec<usize> = (0..graph.rows.len()).filter(|row| graph.has_tools(*row)).collect();
    let [first, others @ ..] = rows.as_slice() else { return };
    let mut found = Diagnostic::new(&RULE, format!("no row provides the tool registry {}", graph.key(registry)))
        .at(graph.plugin_place(*first), format!("row `{}` has tools to register", graph.id(*first)));
    for row in others {
        found = found.and(graph.plugin_place(*row), format!("row `{}` has tools too", graph.id(*row)));
    }
    problems.report(with_candidates(found, graph, composition, registry));
}
