//! Two rows that serve a protocol on stdio.

use crate::check::clash::clash;
use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostics, Rule};

/// `DSH0306`
pub static RULE: Rule = Rule::error("DSH0306", "more than one row serves stdin and stdout", include_str!("two_servers.md"));

/// Reports rows that would serve at once.
pub fn two_servers(graph: &Graph<'_>, problems: &mut Diagnostics) {
    let serves = |row: &usize| graph.rows.mounted[*row].plugin.declared.decl.serve.is_some();
    let serving: Vec<usize> = graph.on().filter(serves).collect();
    let title = "more than one row serves stdin and stdout".to_owned();
    if let Some(found) = clash(&RULE, title, graph, &serving, "serves a protocol there") {
        problems.report(found.help("keep one of the rows, or make a profile for each"));
    }
}
