//! Every plugin checks what it owns, or says why there is nothing to check.

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::Index;

const REASON: &str = "No runtime invariant:";

/// How an invariant hears of changes.
const LISTENING: [&str; 2] = [".listen(", "check_events("];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "invariants-stated",
    rule: Rule::error(
        "DSH0613",
        "a plugin neither checks an invariant nor says why not, does not list what it checks, or its invariant is none",
        "An invariant asserts a relationship that a plugin owns, over events or over data that changes, and is registered with the service \
         `invariants`. What is looked at once, when the plugin mounts, can only assert that something is there. The catalog of invariants lists \
         those that `#[plugin(invariants(…))]` states, one sentence each. A plugin that owns none says so in its README, in a line that starts \
         `No runtime invariant:` and gives the reason.",
    ),
    fix: "register the invariant when the plugin mounts, or write the line under `## Limitations` of its README",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Declarations(check),
};

fn check(tree: &Tree, index: &Index, found: &mut Diagnostics) {
    for plugin in index.plugins.values() {
        let package = &plugin.declared.id.package;
        let Some((_, folder)) = tree.packages().find(|(known, _)| known.name == *package) else { continue };
        let (inside, readme) = (Tree::joined(&folder, "src/"), Tree::joined(&folder, "README.md"));
        let sources = tree.files_with(".rs").filter(|(path, _)| path.starts_with(&inside));
        let sources: Vec<&str> = sources.map(|(_, file)| file.text()).collect();
        let registers = sources.iter().any(|text| text.contains("invariants.register("));
        let listens = sources.iter().any(|text| LISTENING.iter().any(|call| text.contains(call)));
        if registers && !listens {
            let title = format!("the invariant of `{}` hears no event", plugin.name);
            let problem = Diagnostic::new(&GATE.rule, title).at(&plugin.declared.place, "this plugin");
            found.report(
                problem.help("check where data changes: an event is listened to, and what it brings is compared with what was before"),
            );
        }
        let reason = tree.file(&readme).is_some_and(|readme| readme.text().lines().any(has_reason));
        if !registers && !reason {
            let title = format!("`{}` registers no invariant and gives no reason", plugin.name);
            found.report(Diagnostic::new(&GATE.rule, title).at(&plugin.declared.place, "this plugin"));
        }
        let states = !plugin.declared.decl.invariants.is_empty();
        if registers != states {
            let (does, not) = if registers { ("registers", "states none") } else { ("states", "registers none") };
            found.report(
                Diagnostic::new(&GATE.rule, format!("`{}` {does} invariants and {not}", plugin.name))
                    .at(&plugin.declared.place, "this plugin")
                    .help("state what is registered in `#[plugin(invariants(\"…\"))]`, and nothing else"),
            );
        }
    }
}

fn has_reason(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', ' ']);
    line.strip_prefix(REASON).is_some_and(|reason| !reason.trim().is_empty())
}
