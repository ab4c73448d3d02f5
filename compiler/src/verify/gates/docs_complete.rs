//! What the compiler can say and do is documented.

use super::super::{Check, Cost, Gate, Scope, Tree, gates};
use crate::diagnostics::{self, Diagnostic, Diagnostics, Place, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "docs-complete",
    rule: Rule::error(
        "DSH0622",
        "a command, a gate or a diagnostic is not documented",
        "The README's table names every command, `docs/gates.md` every gate and none that is not there, `docs/diagnostics/` has a page for every \
         diagnostic.",
    ),
    fix: "add the line, or name what is there",
    cost: Cost::Reads,
    scope: Scope::Workspace,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    named_in_pages(tree, found);
    gates_that_are_not_there(tree, found);
    // One is enough: all are written at once.
    let is_missing = |rule: &&&Rule| tree.file(&format!("docs/diagnostics/{}.md", rule.code)).is_none();
    if let (Some(list), Some(rule)) = (tree.file("docs/diagnostics/README.md"), diagnostics::rules().iter().find(is_missing)) {
        let title = format!("`{}` has no page", rule.code);
        let problem = Diagnostic::new(&GATE.rule, title).at(&Place::start_of(list), "beside this page");
        found.report(problem.help("`DSH_UPDATE=1 cargo test -p dsh-build --test diagnostic_pages` writes it"));
    }
}

fn named_in_pages(tree: &Tree, found: &mut Diagnostics) {
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
}

/// Names that the page of gates gives to what keeps a rule here, and that no gate has.
fn gates_that_are_not_there(tree: &Tree, found: &mut Diagnostics) {
    const NAMED: [&str; 3] = ["kept as `", "kept as a part of `", "replaced by `"];
    let Some(page) = tree.file("docs/gates.md") else { return };
    for (at, words) in NAMED.iter().flat_map(|words| page.text().match_indices(words)) {
        let start = at + words.len();
        let end = page.text()[start..].find('`').map_or(start, |length| start + length);
        let name = &page.text()[start..end];
        if !gates().iter().any(|gate| gate.name == name) {
            let title = format!("there is no gate `{name}`");
            found.report(Diagnostic::new(&GATE.rule, title).at(&Place::new(page, start..end), "named here"));
        }
    }
}
