//! From the workspace's crates to the index of their declarations. Reads sources and asks cargo; runs no code of a crate.

pub(crate) mod cache;
mod detached;
mod entry;
mod exports;
mod imports;
mod link;
mod metadata;
mod modules;
mod named_by_wiring;
mod names;
mod plugins;
mod prefilter;
pub(crate) mod rules;
mod source;
mod table;
mod undeclared;
mod versions;

pub use entry::{Declared, Index, ItemId, Listen, Package, PluginEntry, Take, Want, WantKind};
pub(crate) use metadata::cargo;
pub use metadata::{Metadata, MetadataPackage, Need};
pub(crate) use metadata::{MetadataError, ask};
pub(crate) use plugins::plugin_name;
pub(crate) use rules::metadata_refused::metadata_refused;
pub use source::PackageSource;
pub(crate) use source::{Listed, relative};

use std::collections::BTreeSet;

use crate::diagnostics::Diagnostics;
use crate::workspace::Workspace;

/// Package of the runtime; what depends on it may declare something, and so does it itself.
pub const RUNTIME: &str = "dsh-runtime";

/// Package for tests alone: what it declares is no part of a composition.
const TESTKIT: &str = "dsh-testkit";

/// What cargo may do; passed on to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// `--offline`: no network access.
    pub offline: bool,
    /// `--locked`: the lock file must not change.
    pub locked: bool,
}

/// Reads the declarations of every crate that may hold a plugin, with the graph of packages that they were found by. All
/// problems are reported; the index then holds what could be read.
pub fn index(workspace: &Workspace, network: Network, diagnostics: &mut Diagnostics) -> (Index, Metadata) {
    let Some(metadata) = workspace_metadata(workspace, network, diagnostics) else { return (Index::default(), Metadata::default()) };
    let index = read(workspace, &metadata, None, diagnostics);
    (index, metadata)
}

/// What cargo knows of the workspace's own packages; reported and empty when it knows nothing.
pub(crate) fn workspace_metadata(workspace: &Workspace, network: Network, diagnostics: &mut Diagnostics) -> Option<Metadata> {
    match cache::metadata(workspace, network) {
        // What only generated crates need was listed by a profile, and is no part of another one.
        Ok(metadata) => Some(metadata.without(|package| is_generated(package, workspace))),
        Err(error) => {
            diagnostics.report(rules::metadata_refused::metadata_refused(&error));
            None
        }
    }
}

/// Has cargo bring the lock file up to date after manifests changed.
pub(crate) fn update_lock_file(workspace: &Workspace, network: Network, diagnostics: &mut Diagnostics) {
    if let Err(error) = cache::update_lock_file(workspace, network) {
        diagnostics.report(rules::metadata_refused::metadata_refused(&error));
    }
}

/// Reads the declarations of the crates of a graph; `listed` is what a profile says of crates from outside the workspace.
pub(crate) fn read(workspace: &Workspace, metadata: &Metadata, listed: Option<Listed<'_>>, diagnostics: &mut Diagnostics) -> Index {
    let mut declaring = declaring_packages(workspace, metadata);
    if declaring.is_empty() {
        diagnostics.report(rules::no_runtime::no_runtime());
    }
    versions::refuse_two_versions(&declaring, workspace, metadata, diagnostics);
    undeclared::check(workspace, metadata, listed, diagnostics);
    // Of two versions one is read: they declare the same.
    declaring.dedup_by_key(|place| &metadata.packages[*place].name);
    let mut table = table::Table::default();
    for &place in &declaring {
        let package = &metadata.packages[place];
        let Some((_, root)) = &package.lib else { continue };
        let library = modules::read_library(root, workspace, diagnostics);
        if !library.is_whole {
            table.broken.insert(place);
        }
        for file in library.files {
            table.add(place, &package.name, file, diagnostics);
        }
    }
    let (mut index, wants) = link::link(&table, metadata, diagnostics);
    plugins::link_plugins(&table, metadata, &wants, &mut index, diagnostics);
    named_by_wiring::check(&table, &index, diagnostics);
    let names: BTreeSet<&str> = declaring.iter().map(|&place| metadata.packages[place].name.as_str()).collect();
    index.packages = declaring.iter().filter_map(|&place| entry_of(metadata, place, &names, workspace, listed)).collect();
    index.package_names =
        metadata.packages.iter().filter(|package| !is_generated(package, workspace)).map(|package| package.name.clone()).collect();
    index
}

/// The runtime and the packages with a library that depend on it, except generated ones, which only wire, and the testkit.
fn declaring_packages(workspace: &Workspace, metadata: &Metadata) -> Vec<usize> {
    let is_runtime = |place: usize| metadata.packages[place].name == RUNTIME;
    let declares = |place: usize| {
        let package = &metadata.packages[place];
        let depends = is_runtime(place) || package.deps.values().any(|dependency| is_runtime(*dependency));
        depends && package.name != TESTKIT && package.lib.is_some() && !is_generated(package, workspace)
    };
    (0..metadata.packages.len()).filter(|place| declares(*place)).collect()
}

fn is_generated(package: &MetadataPackage, workspace: &Workspace) -> bool {
    package.manifest.starts_with(workspace.generated()) || package.manifest.starts_with(workspace.own())
}

fn entry_of(
    metadata: &Metadata,
    place: usize,
    declaring: &BTreeSet<&str>,
    workspace: &Workspace,
    listed: Option<Listed<'_>>,
) -> Option<(String, Package)> {
    let package = &metadata.packages[place];
    let (lib, _) = package.lib.as_ref()?;
    let linked = metadata.linked_with([place]).into_iter().map(|place| &metadata.packages[place].name);
    let reaches = linked.filter(|name| declaring.contains(name.as_str())).cloned().collect();
    Some((package.name.clone(), Package { lib: lib.clone(), source: PackageSource::of(package, workspace, listed), reaches }))
}
