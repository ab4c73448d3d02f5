//! Rows that contribute more than one of what a composition has once.

use super::graph::Graph;
use crate::diagnostics::{Diagnostic, Rule};

/// The diagnostic for rows that all do what only one may; `None` when at most one does. `does` says it of a row:
/// `` provides `shell` ``.
pub fn clash(rule: &'static Rule, title: String, graph: &Graph<'_>, rows: &[usize], does: &str) -> Option<Diagnostic> {
    let [first, second, others @ ..] = rows else { return None };
    let mut found = Diagnostic::new(rule, title).at(graph.plugin_place(*second), format!("row `{}` {does}", graph.id(*second)));
    for row in std::iter::once(first).chain(others) {
        found = found.and(graph.plugin_place(*row), format!("row `{}` {does} too", graph.id(*row)));
    }
    Some(found)
}
