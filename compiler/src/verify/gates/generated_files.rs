//! Generated files are what the profiles and declarations say.

use super::super::{Check, Cost, Gate, GateError, Scope, Tree};
use crate::compile::Compiler;
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};
use crate::index::Network;
use crate::kept;
use crate::sync::{Change, compare};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "generated-files",
    rule: Rule::error(
        "DSH0620",
        "a generated file is not what it is generated from",
        "What lies below `generated/` is reviewed with what it is made from. A file that was not made anew shows the reviewer another program than the \
         one that is built.",
    ),
    fix: "run `dsh-build sync`",
    cost: Cost::Reads,
    scope: Scope::Workspace,
    check: Check::Asks(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) -> Result<(), GateError> {
    let network = Network { offline: true, locked: true };
    let targets = kept::of_workspace(&mut Compiler::new(&tree.workspace, network), found);
    if found.has_errors() {
        return Ok(());
    }
    let changes = compare(&tree.workspace, &targets, true);
    for change in changes.map_err(|error| GateError::Program { program: "sync".to_owned(), words: error.to_string() })? {
        let (path, title) = match &change {
            Change::File { file, .. } => (file, format!("`{file}` is stale")),
            Change::Orphan { path } => (path, format!("`{path}` belongs to no profile")),
        };
        let problem = Diagnostic::new(&GATE.rule, title);
        found.report(match tree.file(path) {
            Some(file) => problem.at(&Place::start_of(file), "this file"),
            None => problem,
        });
    }
    Ok(())
}
