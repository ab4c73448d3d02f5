//! The project speaks of itself alone.

use super::super::{Check, Cost, Gate, GateError, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};

/// What must not stand in any file, and where it may all the same. Halves are joined, so that this file is no finding.
const WORDS: &[(&str, &str)] = &[
    (concat!("../", "shared"), ".ci/run"),
    (concat!("/work", "/"), ""),
    (concat!("crates", ".io"), ""),
    (concat!("pypi", ".org"), ""),
    (concat!("registry.npm", "js"), ""),
];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "private-words",
    rule: Rule::error(
        "DSH0616",
        "a file names something that is not part of the project",
        "Paths of one machine, hosts of package registries and what lies beside a checkout mean nothing to whoever reads the project elsewhere.",
    ),
    fix: "say it without the name",
    cost: Cost::Reads,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) -> Result<(), GateError> {
    // Lock files name the registry in each entry; cargo writes them so.
    for (path, file) in tree.files_with("").filter(|(path, _)| !path.ends_with("Cargo.lock")) {
        for (word, _) in WORDS.iter().filter(|(_, allowed)| *allowed != path) {
            for (at, _) in file.text().match_indices(word) {
                let title = format!("`{word}` is not part of the project");
                found.report(Diagnostic::new(&GATE.rule, title).at(&Place::new(file, at..at + word.len()), "means nothing elsewhere"));
            }
        }
    }
    Ok(())
}
