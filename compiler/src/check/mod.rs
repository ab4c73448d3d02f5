//! Checks a composition against the declarations of its plugins. What it yields has nothing left to refuse.

mod checked;
mod clash;
mod condition;
mod documents;
mod findings;
mod finished;
mod graph;
mod groups;
mod rows;
pub mod rules;
mod schemas;
mod takes;
mod tools;

pub use checked::{Checked, CheckedGroup, CheckedPreset, CheckedRow, Disabled, Exclusive, Provider};
pub use documents::{DocumentedRow, Documents};
pub use dsh_language::check::{Fixed, StructValue, Value};
pub use graph::tool_registry;
pub use schemas::schemas;

use crate::diagnostics::Diagnostics;
use crate::index::Index;
use crate::resolve::Composition;
use findings::Findings;
use graph::Graph;

/// Checks every row and then the graph of the rows that mount, in every combination of conditions that can occur. `None` when
/// `problems` holds an error, of this stage or an earlier one.
#[must_use]
pub fn check(composition: &Composition, index: &Index, problems: &mut Diagnostics) -> Option<Checked> {
    rules::taken_package(&composition.profile, index, problems);
    let rows = rows::check_rows(composition, index, problems);
    rules::set_secrets(&composition.profile.build, &rows.withheld, problems);
    rules::isolated_keys(&rows, index, problems);
    rules::preset_entries(&rows, problems);
    let graphs: Vec<Graph<'_>> = rows.conditions.combinations().into_iter().map(|one| Graph::new(&rows, index, one)).collect();
    rules::cycles(&graphs, problems);
    let mut findings = Findings::default();
    for graph in &graphs {
        rules::unusable_tools(graph, problems);
        findings.of(graph, |graph, found| {
            rules::two_providers(graph, found);
            rules::taken_twice(graph, found);
            rules::duplicate_tools(graph, found);
            rules::two_servers(graph, found);
            rules::duplicate_verbs(graph, found);
            if rows.is_whole {
                rules::missing_services(graph, composition, found);
                rules::missing_tool_registry(graph, composition, found);
            }
        });
    }
    findings.report(&rows.conditions, problems);
    // Whether something is of no use can only be told of a composition that is otherwise right.
    if !problems.has_errors() {
        let mut findings = Findings::default();
        graphs.iter().for_each(|graph| findings.of(graph, rules::dead_rows));
        findings.report(&rows.conditions, problems);
        rules::unheard_events(&graphs, problems);
        rules::unused_services(&graphs, problems);
    }
    (!problems.has_errors()).then(|| finished::finished(composition, &rows, &graphs))
}
