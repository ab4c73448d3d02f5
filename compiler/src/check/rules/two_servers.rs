//! Two rows that serve a protocol on stdio.

use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// `DSH0306`
pub static RULE: Rule = Rule::error(
    "DSH0306",
    "two rows serve stdin and stdout",
    "A binary has one stdin and one stdout, so one row speaks a protocol on them. Disable one, or make two profiles.",
);

/// Reports rows that serve beside the first that does.
pub fn two_servers(graph: &Graph<'_>, problems: &mut Diagnostics) {
    let mut serving = (0..graph.rows.len()).filter(|row| graph.rows[*row].plugin.declared.decl.serve.is_some());
    let Some(first) = serving.next() else { return };
    for row in serving {
        problems.report(
            Diagnostic::new(&RULE, "two rows serve stdin and stdout")
                .at(graph.plugin_place(row), format!("row `{}` serves a protocol there", graph.id(row)))
                .and(graph.plugin_place(first), format!("row `{}` does too", graph.id(first)))
                .help("disable one of the rows, or make a profile for each"),
        );
    }
}
