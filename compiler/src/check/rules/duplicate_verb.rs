//! Two verbs of one name.

use std::collections::BTreeMap;

use crate::check::clash::clash;
use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostics, Rule};

/// `DSH0307`
pub static RULE: Rule = Rule::error("DSH0307", "more than one row gives the binary a verb", include_str!("duplicate_verb.md"));

/// Reports each verb that is given twice.
pub fn duplicate_verbs(graph: &Graph<'_>, problems: &mut Diagnostics) {
    let mut given: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for at in graph.on() {
        for verb in &graph.rows.mounted[at].plugin.declared.decl.verbs {
            given.entry(verb.verb.value.as_str()).or_default().push(at);
        }
    }
    for (verb, rows) in given {
        let title = format!("more than one row gives the verb `{verb}`");
        if let Some(found) = clash(&RULE, title, graph, &rows, &format!("gives `{verb}`")) {
            problems.report(found.help("keep one of the rows, and disable the others"));
        }
    }
}
