//! Standing documents stay short enough to be read.

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};

/// Documents with the most words that each may have.
const BUDGETS: &[(&str, usize)] = &[
    ("README.md", 1600),
    ("CONTRIBUTING.md", 600),
    ("docs/architecture.md", 2000),
    ("docs/declarations.md", 1800),
    ("docs/differences.md", 1800),
    ("docs/gates.md", 1200),
    ("docs/glossary.md", 1000),
    ("docs/primer.md", 1400),
    ("docs/profiles.md", 1200),
    ("docs/questions.md", 1200),
    ("docs/testing.md", 1000),
];

/// Words of a plugin's README.
const PLUGIN: usize = 900;

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "doc-budgets",
    rule: Rule::error(
        "DSH0615",
        "a document has more words than it may",
        "A document that grows with every change is not read any more. Each standing one has a number of words, so that something is taken out when \
         something is put in.",
    ),
    fix: "say it shorter, or move it to the reference that is generated",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    for (path, file) in tree.files_with(".md") {
        let is_plugin = tree.is_of_plugins(path) && path.ends_with("README.md");
        let standing = BUDGETS.iter().find(|(known, _)| *known == path).map(|(_, words)| *words);
        let budget = if is_plugin { Some(PLUGIN) } else { standing };
        // Neither the lines of a table nor a dash is a word.
        let words = file.text().split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
        if let Some(budget) = budget.filter(|budget| words > *budget) {
            let title = format!("the document has {words} words of at most {budget}");
            found.report(Diagnostic::new(&GATE.rule, title).at(&Place::start_of(file), "this document"));
        }
    }
}
