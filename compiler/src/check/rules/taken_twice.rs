//! What a service has once and two rows take.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::clash::clash;
use crate::check::graph::Graph;
use crate::check::takes::{Taken, taken};
use crate::diagnostics::{Diagnostics, Rule};

/// `DSH0314`
pub static RULE: Rule = Rule::error("DSH0314", "more than one row takes what a service has once", include_str!("taken_twice.md"));

/// Reports what is taken more than once of one provider.
pub fn taken_twice(graph: &Graph<'_>, problems: &mut Diagnostics) {
    let all = taken(graph);
    let mut by_provider: BTreeMap<(usize, &str), Vec<Taken<'_>>> = BTreeMap::new();
    for taken in &all {
        by_provider.entry((taken.provider, taken.what)).or_default().push(*taken);
    }
    let mut told: BTreeSet<Vec<usize>> = BTreeSet::new();
    for takers in by_provider.into_values() {
        let rows: Vec<usize> = takers.iter().map(|taken| taken.row).collect();
        // Rows of one plugin take all that it takes: one thing shows it.
        if !told.insert(rows.clone()) {
            continue;
        }
        let words = takers[0].words(graph);
        let title = format!("more than one row takes {words}");
        if let Some(found) = clash(&RULE, title, graph, &rows, &format!("takes {words}")) {
            problems.report(found.help(help(graph, &takers)));
        }
    }
}

fn help(graph: &Graph<'_>, takers: &[Taken<'_>]) -> String {
    let row = |taken: &Taken<'_>| &graph.rows.mounted[taken.row];
    if let Some(field) = takers.iter().find_map(|taken| taken.field) {
        return format!("give one of them another `{field}`");
    }
    match takers.iter().find(|taken| row(taken).preset.is_some()) {
        Some(inside) if takers.iter().any(|taken| row(taken).preset.is_none()) => {
            format!("take row `{}` out of the preset: its agents have that of the composition", row(inside).row.id.text)
        }
        _ => format!("keep one, and disable others with `- {{id: {}, disabled: true}}`", row(&takers[0]).row.id.text),
    }
}
