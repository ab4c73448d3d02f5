//! Checks a composition against the declarations of its plugins. What it yields has nothing left to refuse.

mod checked;
mod clash;
mod documents;
mod graph;
mod rows;
pub mod rules;
mod schemas;
mod tools;

pub use checked::{Checked, CheckedRow, Provider};
pub use documents::{DocumentedRow, Documents};
pub use dsh_language::check::{StructValue, Value};
pub use graph::tool_registry;
pub use schemas::schemas;

use crate::diagnostics::Diagnostics;
use crate::index::Index;
use crate::resolve::Composition;
use graph::Graph;

/// Checks every row and then the graph of the rows that mount. `None` when `problems` holds an error, of this stage or an earlier
/// one.
#[must_use]
pub fn check(composition: &Composition, index: &Index, problems: &mut Diagnostics) -> Option<Checked> {
    rules::taken_package(&composition.profile, index, problems);
    let rows = rows::check_rows(composition, index, problems);
    let graph = Graph::new(&rows, index);
    rules::two_providers(&graph, problems);
    rules::cycles(&graph, problems);
    rules::unusable_tools(&graph, problems);
    rules::duplicate_tools(&graph, problems);
    rules::two_servers(&graph, problems);
    rules::duplicate_verbs(&graph, problems);
    if rows.is_whole {
        rules::missing_services(&graph, composition, problems);
        rules::missing_tool_registry(&graph, composition, problems);
    }
    // Whether something is of no use can only be told of a composition that is otherwise right.
    if !problems.has_errors() {
        rules::dead_rows(&graph, problems);
        rules::unheard_events(&graph, problems);
        rules::unused_services(&graph, problems);
    }
    if problems.has_errors() {
        return None;
    }
    let aliases = composition.profile.aliases.iter().map(|alias| alias.text.clone()).collect();
    Some(Checked {
        profile: composition.profile.name.text.clone(),
        aliases,
        rows: graph.into_checked(),
        documents: Documents::of(composition),
    })
}
