//! A service that two rows provide.

use crate::check::clash::clash;
use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostics, Rule};

/// `DSH0302`
pub static RULE: Rule = Rule::error("DSH0302", "more than one row provides a service", include_str!("two_providers.md"));

/// Reports each service with more than one provider.
pub fn two_providers(graph: &Graph<'_>, problems: &mut Diagnostics) {
    for (realm, service, rows) in graph.provided() {
        let key = graph.key(service);
        let title = format!("more than one row provides the service {key}{}", graph.inside(realm));
        if let Some(found) = clash(&RULE, title, graph, rows, &format!("provides {key}")) {
            problems.report(found.help(format!(
                "keep one, and disable others with `- {{id: {}, disabled: true}}`",
                graph.rows.mounted[rows[0]].row.id.text
            )));
        }
    }
}
