//! Every plugin of the workspace is mounted by a profile that it ships.

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::Index;

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "mounted-plugins",
    rule: Rule::error(
        "DSH0614",
        "no profile mounts a plugin",
        "What no shipped profile mounts is not built into any binary, has no catalog and is not run by the tests of the product.",
    ),
    fix: "mount it in a profile or a bundle of `profiles/`, or, when it is for profiles of others, list it in `docs/exemptions.yml`",
    cost: Cost::Reads,
    scope: Scope::Workspace,
    check: Check::Declarations(check),
};

fn check(tree: &Tree, index: &Index, found: &mut Diagnostics) {
    for plugin in index.plugins.values() {
        let is_own = tree.packages().any(|(package, folder)| package.name == plugin.declared.id.package && folder.starts_with("plugins/"));
        let wiring = format!("{}::", plugin.declared.id.package.replace('-', "_"));
        let mounts = format!("Mounted<{wiring}{}>", plugin.declared.id.name);
        let is_mounted =
            tree.files_with("/src/wiring.rs").any(|(path, file)| path.starts_with("generated/") && file.text().contains(&mounts));
        if is_own && !is_mounted {
            let title = format!("no profile mounts `{}`", plugin.name);
            found.report(Diagnostic::new(&GATE.rule, title).at(&plugin.declared.place, "this plugin"));
        }
    }
}
