//! Manifests of the workspace's packages have one form.

use super::super::{Check, Cost, Gate, Scope, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};

/// Lines that every manifest of the workspace has.
const INHERITED: [&str; 5] = [
    "version.workspace = true",
    "edition.workspace = true",
    "rust-version.workspace = true",
    "license.workspace = true",
    "publish.workspace = true",
];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "manifests",
    rule: Rule::error(
        "DSH0610",
        "a package's manifest has another form than the rest",
        "Packages are called `dsh-…`, inherit version, edition, toolchain, licence and lints from the workspace, and say in a line what they are. \
         A plugin lies at `plugins/<group>/<name>` and is called `dsh-<name>`.",
    ),
    fix: "take the lines of another package's manifest",
    cost: Cost::Reads,
    scope: Scope::Workspace,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    for (package, folder) in tree.packages().filter(|(package, _)| package.member) {
        // A tree outside of the workspace keeps its own manifests.
        let Some(manifest) = tree.file(&format!("{folder}/Cargo.toml")) else { continue };
        for fault in faults(&package.name, &folder, manifest.text()) {
            found.report(Diagnostic::new(&GATE.rule, fault).at(&Place::start_of(manifest), "in this manifest"));
        }
    }
}

fn faults(name: &str, folder: &str, text: &str) -> Vec<String> {
    let has = |line: &str| text.lines().any(|other| other == line);
    let mut faults: Vec<String> =
        INHERITED.iter().filter(|line| !has(line)).map(|line| format!("the manifest of `{name}` lacks `{line}`")).collect();
    if !text.contains("[lints]\nworkspace = true") {
        faults.push(format!("`{name}` does not inherit the workspace's lints"));
    }
    if !text.lines().any(|line| line.starts_with("description = \"")) {
        faults.push(format!("`{name}` has no description"));
    }
    if !name.starts_with("dsh-") {
        faults.push(format!("the name `{name}` does not start with `dsh-`"));
    }
    if let Some(inside) = folder.strip_prefix("plugins/") {
        let expected = inside.split_once('/').map(|(_, plugin)| format!("dsh-{plugin}"));
        if expected.as_deref() != Some(name) {
            faults.push(format!("`{name}` lies in `{folder}`, not in `plugins/<group>/{}`", name.trim_start_matches("dsh-")));
        }
    }
    faults
}
