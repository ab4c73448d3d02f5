//! Whoever passes a binary on can pass on what its licences ask for.

use std::fs;

use super::super::{Check, Cost, Gate, GateError, Scope, Tree};
use super::manifest_place::mention;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::inventory::holds_notice;

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "notices",
    rule: Rule::error(
        "DSH0630",
        "a crate from elsewhere has no text of its licence",
        "The accepted licences ask that their text, with the names of those who hold the copyright, goes with every copy. The texts are \
         taken from the crates' own packages, so a crate without one would be passed on against its terms.",
    ),
    fix: "use another crate; where its authors give the text elsewhere, add it to `NOTICE` and list the crate in `docs/exemptions.yml`",
    cost: Cost::Reads,
    scope: Scope::Workspace,
    check: Check::Asks(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) -> Result<(), GateError> {
    let Some(manifest) = tree.file("Cargo.toml") else { return Ok(()) };
    for package in tree.metadata.packages.iter().filter(|package| !package.member) {
        let folder = package.folder();
        let unread = |source| GateError::Io { path: folder.display().to_string(), source };
        let mut has_text = false;
        for entry in fs::read_dir(folder).map_err(unread)? {
            has_text |= holds_notice(&entry.map_err(unread)?.file_name());
        }
        if !has_text {
            let title = format!("the package `{} {}` holds no text of its licence", package.name, package.version);
            found.report(Diagnostic::new(&GATE.rule, title).at(&mention(manifest, &package.name), "somewhere below this workspace"));
        }
    }
    Ok(())
}
