//! What the compiler can say and do is documented.

use super::super::{Check, Cost, Gate, GateError, Tree, gates};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "docs-complete",
    rule: Rule::error(
        "DSH0622",
        "a command or a gate is not documented",
        "The README's table names every command, `docs/gates.md` every gate. Diagnostics document themselves: their pages are generated.",
    ),
    fix: "add the line",
    cost: Cost::Reads,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) -> Result<(), GateError> {
    let commands = crate::cli::commands();
    let commands = commands.iter().map(|command| ("README.md", format!("`dsh-build {command}"), format!("the command `{command}`")));
    let gates = gates().iter().map(|gate| ("docs/gates.md", format!("`{}`", gate.name), format!("the gate `{}`", gate.name)));
    for (page, words, what) in commands.chain(gates) {
        let Some(file) = tree.file(page) else { continue };
        if !file.text().contains(&words) {
            let title = format!("`{page}` does not name {what}");
            found.report(Diagnostic::new(&GATE.rule, title).at(&Place::start_of(file), "in this page"));
        }
    }
    Ok(())
}
