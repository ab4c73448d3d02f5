//! A manifest names what its crate uses, and no more.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::{Check, Cost, Gate, Scope, Tree};
use super::manifest_place::mention;
use super::rust_words::collect;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule, SourceFile};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "unused-dependencies",
    rule: Rule::error(
        "DSH0609",
        "a crate depends on something that it does not use",
        "Every dependency costs a build, bytes and trust. One whose name stands nowhere in the sources of its crate is left over; one that is there \
         for a feature or for a build script alone has an entry in `docs/exemptions.yml`.",
    ),
    fix: "remove it from the manifest",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Tree(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) {
    for (package, folder) in tree.packages() {
        let prefix = Tree::joined(&folder, "");
        let Some(manifest) = tree.file(&Tree::joined(&folder, "Cargo.toml")) else { continue };
        let sources = tree.files_with(".rs").filter(|(path, _)| is_of(path, &prefix, tree)).map(|(_, file)| file);
        let used = names(sources);
        for (name, dependency) in package.deps.iter().filter(|(name, _)| !used.contains(name.as_str())) {
            let dependency = &tree.metadata.packages[*dependency].name;
            let title = format!("`{}` does not use `{name}`", package.name);
            found.report(Diagnostic::new(&GATE.rule, title).at(&mention(manifest, dependency), "used nowhere"));
        }
    }
}

/// Whether a file belongs to the package in a folder, and not to one that lies deeper.
fn is_of(path: &str, prefix: &str, tree: &Tree) -> bool {
    let Some(inside) = path.strip_prefix(prefix) else { return false };
    let folders = inside.match_indices('/').map(|(at, _)| &inside[..at]);
    !folders.into_iter().any(|folder| tree.holds(&format!("{prefix}{folder}/Cargo.toml")))
}

fn names<'a>(sources: impl Iterator<Item = &'a Arc<SourceFile>>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    // What is no Rust is kept for tests and uses nothing.
    sources.filter_map(|source| source.text().parse().ok()).for_each(|tokens| collect(tokens, &mut names));
    names
}
