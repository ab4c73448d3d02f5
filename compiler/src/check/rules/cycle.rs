//! Rows that need each other.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::check::graph::{Graph, Need};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// `DSH0303`
pub static RULE: Rule = Rule::error("DSH0303", "rows need each other in a loop", include_str!("cycle.md"));

/// Reports one loop, the shortest, for each set of rows that need each other, be it in different combinations of conditions: rows mount
/// in one order.
pub fn cycles(graphs: &[Graph<'_>], problems: &mut Diagnostics) {
    let Some(graph) = graphs.first() else { return };
    let needs: Vec<Vec<Need>> = (0..graph.rows.mounted.len()).map(|row| needs(graphs, row)).collect();
    let mut reported: BTreeSet<usize> = BTreeSet::new();
    for start in 0..needs.len() {
        let Some(rows) = shortest_loop(&needs, start) else { continue };
        if rows.iter().any(|row| reported.contains(row)) {
            continue;
        }
        reported.extend(&rows);
        problems.report(cycle(graph, &needs, &rows));
    }
}

/// What a row needs in any combination in which it mounts.
fn needs(graphs: &[Graph<'_>], row: usize) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    for need in graphs.iter().filter(|graph| graph.rows.mounted[row].is_on(graph.combination)).flat_map(|graph| graph.needs(row)) {
        if !needs.contains(&need) {
            needs.push(need);
        }
    }
    needs
}

/// The shortest way from a row back to itself.
fn shortest_loop(needs: &[Vec<Need>], start: usize) -> Option<Vec<usize>> {
    let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(row) = queue.pop_front() {
        for need in &needs[row] {
            if need.provider == start {
                let mut rows = vec![row];
                while let Some(before) = came_from.get(rows.last()?) {
                    rows.push(*before);
                }
                rows.reverse();
                return Some(rows);
            }
            if let Entry::Vacant(entry) = came_from.entry(need.provider) {
                entry.insert(row);
                queue.push_back(need.provider);
            }
        }
    }
    None
}

fn cycle(graph: &Graph<'_>, needs: &[Vec<Need>], rows: &[usize]) -> Diagnostic {
    let names: Vec<String> = rows.iter().chain(rows.first()).map(|row| format!("`{}`", graph.id(*row))).collect();
    let title = match rows {
        [only] => format!("row `{}` needs a service that it provides itself", graph.id(*only)),
        _ => format!("rows need each other: {}", names.join(" → ")),
    };
    let mut found = Diagnostic::new(&RULE, title);
    for (at, row) in rows.iter().enumerate() {
        let next = rows[(at + 1) % rows.len()];
        let service = needs[*row].iter().find(|need| need.provider == next).map(|need| graph.key(&need.service)).unwrap_or_default();
        let label = format!("`{}` needs {service} of `{}`", graph.id(*row), graph.id(next));
        found = if at == 0 { found.at(graph.plugin_place(*row), label) } else { found.and(graph.plugin_place(*row), label) };
    }
    match rows {
        [_] => found.note("a row mounts after the rows that it needs, so none can need itself").help("give the row another plugin"),
        _ => found
            .note("a row mounts after the rows that it needs, so none of these could be the first")
            .help("take one of the rows out, or give it a plugin that does not need the next one"),
    }
}
