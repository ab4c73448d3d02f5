//! Two verbs of one name.

use std::collections::BTreeMap;

use crate::check::graph::Graph;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// `DSH0307`
pub static RULE: Rule = Rule::error(
    "DSH0307",
    "two rows give the binary one verb",
    "A verb is a word of the binary's command line (`BIN run …`), so each stands for one row. Disable one of the rows.",
);

/// Reports each verb that is given twice.
pub fn duplicate_verbs(graph: &Graph<'_>, problems: &mut Diagnostics) {
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, row) in graph.rows.iter().enumerate() {
        for verb in &row.plugin.declared.decl.verbs {
            let name = verb.verb.value.as_str();
            let Some(first) = taken.get(name) else {
                taken.insert(name, at);
                continue;
            };
            problems.report(
                Diagnostic::new(&RULE, format!("two rows give the verb `{name}`"))
                    .at(graph.plugin_place(at), format!("row `{}` gives it", graph.id(at)))
                    .and(graph.plugin_place(*first), format!("row `{}` gives it too", graph.id(*first)))
                    .help("disable one of the rows"),
            );
        }
    }
}
