//! Generated files are what the profiles and declarations say.

use super::super::{Check, Cost, Gate, GateError, Tree};
use crate::compile::{Compiler, Source};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};
use crate::emit::{Form, emit};
use crate::index::Network;
use crate::schema::{FOLDER, schemas};
use crate::sync::{Change, Target, compare};

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
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) -> Result<(), GateError> {
    let network = Network { offline: true, locked: true };
    let mut compiler = Compiler::new(&tree.workspace, network);
    let own = compiler.declarations(found);
    let schemas = Target { folder: tree.workspace.generated().join(FOLDER), files: schemas(&own.index) };
    let mut targets = vec![schemas];
    for profile in compiler.shipped_profiles() {
        if let Some(compiled) = compiler.compile(&Source { profile, patches: Vec::new() }, found) {
            let generated = emit(&compiled.plan, Form::Member);
            targets.push(Target { folder: tree.workspace.generated().join(&generated.profile), files: generated.files });
        }
    }
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
