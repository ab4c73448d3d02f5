//! Crates depend only in the allowed directions.

use std::collections::BTreeSet;

use super::super::{Check, Cost, Gate, Scope, Tree};
use super::manifest_place::mention;
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::Index;

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "dependency-directions",
    rule: Rule::error(
        "DSH0601",
        "a crate depends on one that it must not know",
        "Data and knowledge flow one way: plugins know the runtime and definitions, the runtime knows neither plugins nor the compiler, the \
         compiler links no plugin, generated crates know plugins and the runtime. A plugin depends on crates that define services and events, \
         or that hold no plugin; one that depends on a provider or consumer cannot be composed without it.",
    ),
    fix: "depend on the Definition crate that declares the service or event, or move what both need into one",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Declarations(check),
};

/// A layer of the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    Compiler,
    Declare,
    Macros,
    Expression,
    Language,
    Schema,
    Runtime,
    Testkit,
    Failpoints,
    Plugin,
    Tests,
}

impl Layer {
    fn of(folder: &str) -> Option<Self> {
        match folder {
            "compiler" => Some(Self::Compiler),
            "compiler/declare" => Some(Self::Declare),
            "macros" => Some(Self::Macros),
            "runtime" => Some(Self::Runtime),
            "runtime/expression" => Some(Self::Expression),
            "runtime/language" => Some(Self::Language),
            "runtime/schema" => Some(Self::Schema),
            "runtime/failpoints" => Some(Self::Failpoints),
            "runtime/testkit" => Some(Self::Testkit),
            _ if folder.starts_with("plugins/") => Some(Self::Plugin),
            _ if folder.starts_with("tests/") => Some(Self::Tests),
            _ => None,
        }
    }

    /// The layers that a crate of this one may depend on, besides crates from elsewhere.
    fn may_know(self) -> &'static [Self] {
        match self {
            Self::Compiler => &[Self::Declare, Self::Expression, Self::Language],
            Self::Declare => &[Self::Schema],
            Self::Expression | Self::Schema | Self::Failpoints => &[],
            Self::Macros => &[Self::Declare],
            Self::Language => &[Self::Expression, Self::Schema],
            Self::Runtime => &[Self::Macros, Self::Expression, Self::Language],
            Self::Testkit => &[Self::Runtime, Self::Plugin],
            Self::Plugin => &[Self::Runtime, Self::Failpoints, Self::Plugin],
            Self::Tests => {
                &[Self::Compiler, Self::Declare, Self::Expression, Self::Language, Self::Runtime, Self::Testkit, Self::Plugin, Self::Tests]
            }
        }
    }
}

fn check(tree: &Tree, index: &Index, found: &mut Diagnostics) {
    let defining: BTreeSet<&str> = index.services.keys().chain(index.events.keys()).map(|id| id.package.as_str()).collect();
    let plugins = index.plugins.values().map(|plugin| plugin.declared.id.package.as_str());
    let only_plugins: BTreeSet<&str> = plugins.filter(|package| !defining.contains(package)).collect();
    for (package, folder) in tree.packages() {
        let Some(manifest) = tree.file(&Tree::joined(&folder, "Cargo.toml")) else { continue };
        let layer = if tree.is_of_plugins(&folder) { Some(Layer::Plugin) } else { Layer::of(&folder) };
        for &dependency in package.deps.values() {
            let dependency = &tree.metadata.packages[dependency];
            let of = tree.folder_of(dependency).and_then(|folder| Layer::of(&folder));
            let label = match layer.zip(of) {
                Some((layer, of)) if !layer.may_know().contains(&of) => "not in this direction",
                _ if layer == Some(Layer::Plugin) && only_plugins.contains(dependency.name.as_str()) => "a plugin, and defines nothing",
                _ => continue,
            };
            let title = format!("`{}` depends on `{}`", package.name, dependency.name);
            found.report(Diagnostic::new(&GATE.rule, title).at(&mention(manifest, &dependency.name), label));
        }
    }
}
