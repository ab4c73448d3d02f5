//! Every plugin says what it is for and what it costs.

use std::collections::BTreeSet;

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};
use crate::index::{Index, RUNTIME};

const SECTIONS: [&str; 4] = ["## Duty", "## Config", "## Model experience", "## Limitations"];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "plugin-readmes",
    rule: Rule::error(
        "DSH0604",
        "a plugin's README lacks a section",
        "Whoever mounts a plugin reads what it does, how it is configured, what a model sees of it and what that costs, and what it does not do. \
         The sections Duty, Config, Model experience and Limitations stand in each README in this order, none of them empty.",
    ),
    fix: "write the section; one that has nothing to tell says so in a sentence",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Declarations(check),
};

fn check(tree: &Tree, index: &Index, found: &mut Diagnostics) {
    let declares = index.services.keys().chain(index.events.keys()).map(|id| id.package.as_str());
    let declaring: BTreeSet<&str> = declares.chain(index.plugins.values().map(|plugin| plugin.declared.id.package.as_str())).collect();
    // The runtime declares a service too, and is no plugin.
    let is_plugin = |name: &str| declaring.contains(name) && name != RUNTIME;
    for (package, folder) in tree.packages().filter(|(package, _)| is_plugin(&package.name)) {
        let Some(readme) = tree.file(&Tree::joined(&folder, "README.md")) else {
            let manifest = tree.file(&Tree::joined(&folder, "Cargo.toml"));
            let problem = Diagnostic::new(&GATE.rule, format!("`{}` has no README.md", package.name));
            found.report(match manifest {
                Some(manifest) => problem.at(&Place::start_of(manifest), "of this package"),
                None => problem,
            });
            continue;
        };
        let lines: Vec<&str> = readme.text().lines().collect();
        let mut from = 0;
        for section in SECTIONS {
            let at = lines.iter().skip(from).position(|line| *line == section).map(|at| at + from);
            let is_filled =
                |at: usize| lines[at + 1..].iter().take_while(|line| !line.starts_with("## ")).any(|line| !line.trim().is_empty());
            let fault = match at {
                Some(at) if is_filled(at) => None,
                Some(_) => Some("is empty"),
                None => Some("is missing or out of order"),
            };
            if let Some(fault) = fault {
                let title = format!("the section `{section}` of `{}` {fault}", package.name);
                found.report(Diagnostic::new(&GATE.rule, title).at(&Place::start_of(readme), "in this file"));
            }
            from = at.map_or(from, |at| at + 1);
        }
    }
}
