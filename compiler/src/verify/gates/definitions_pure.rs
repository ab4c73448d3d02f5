//! Crates that only define do nothing.

use std::collections::BTreeSet;

use super::super::{Check, Cost, Gate, Scope, Tree};
use super::manifest_place::mention;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::Index;

/// Packages that do something: run tasks, open files, talk over a network, start processes.
const DOERS: [&str; 7] = ["tokio", "reqwest", "rustix", "landlock", "zstd", "libc", "tempfile"];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "definitions-pure",
    rule: Rule::error(
        "DSH0612",
        "a Definition crate does something",
        "A crate that declares services and events and holds no plugin is what consumers and providers agree on. When it needs a runtime, files, a \
         network or a provider, so does everybody who only wants the agreement.",
    ),
    fix: "move the code to a provider, and leave types and traits",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Declarations(check),
};

fn check(tree: &Tree, index: &Index, found: &mut Diagnostics) {
    let plugins: BTreeSet<&str> = index.plugins.values().map(|plugin| plugin.declared.id.package.as_str()).collect();
    let declares = index.services.keys().chain(index.events.keys()).map(|id| id.package.as_str());
    let definitions: BTreeSet<&str> = declares.filter(|package| !plugins.contains(package)).collect();
    let providers: BTreeSet<&str> =
        index.plugins.values().filter(|plugin| provides_for_others(plugin)).map(|plugin| plugin.declared.id.package.as_str()).collect();
    for (package, folder) in
        tree.packages().filter(|(package, folder)| tree.is_of_plugins(folder) && definitions.contains(package.name.as_str()))
    {
        let Some(manifest) = tree.file(&Tree::joined(&folder, "Cargo.toml")) else { continue };
        for &dependency in package.deps.values() {
            let name = tree.metadata.packages[dependency].name.as_str();
            if DOERS.contains(&name) || providers.contains(name) {
                let title = format!("the Definition crate `{}` depends on `{name}`", package.name);
                found.report(Diagnostic::new(&GATE.rule, title).at(&mention(manifest, name), "does something"));
            }
        }
    }
}

/// Whether a plugin provides a service that another package declares.
fn provides_for_others(plugin: &crate::index::PluginEntry) -> bool {
    plugin.provides.iter().any(|service| service.package != plugin.declared.id.package)
}
