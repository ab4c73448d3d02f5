//! A service that two rows provide.

use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// `DSH0302`
pub static RULE: Rule = Rule::error(
    "DSH0302",
    "two rows provide one service",
    "A row that needs a service gets the one provider of it; with two, which one would be chance. Disable one of the rows.",
);

/// Reports each service with more than one provider.
pub fn two_providers(graph: &Graph<'_>, problems: &mut Diagnostics) {
    for (service, rows) in graph.provided() {
        let [first, others @ ..] = rows else { continue };
        for other in others {
            let key = graph.key(service);
            problems.report(
                Diagnostic::new(&RULE, format!("two rows provide the service {key}"))
                    .at(graph.plugin_place(*other), format!("row `{}` provides {key}", graph.id(*other)))
                    .and(graph.plugin_place(*first), format!("row `{}` provides it too", graph.id(*first)))
                    .help(format!("disable one of them, for instance with `- {{id: {}, disabled: true}}`", graph.id(*first))),
            );
        }
    }
}
