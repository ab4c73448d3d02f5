//! From the workspace's crates to the index of their declarations. Reads sources and asks cargo; runs no code of a crate.

mod cache;
mod detached;
mod entry;
mod imports;
mod link;
mod metadata;
mod modules;
mod names;
mod plugins;
mod prefilter;
pub(crate) mod rules;
mod table;
mod versions;

pub use entry::{Declared, Index, ItemId, Listen, Package, Place, PluginEntry, Want, WantKind};
pub(crate) use metadata::cargo;
pub use metadata::{Metadata, MetadataPackage};

use crate::diagnostics::Diagnostics;
use crate::workspace::Workspace;

/// Package of the runtime; what depends on it may declare something, and so does it itself.
const RUNTIME: &str = "dsh-runtime";

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
    let metadata = match cache::metadata(workspace, network) {
        Ok(metadata) => metadata,
        Err(error) => {
            diagnostics.report(rules::metadata_refused::metadata_refused(&error.to_string()));
            return (Index::default(), Metadata::default());
        }
    };
    let index = read(workspace, &metadata, diagnostics);
    (index, metadata)
}

/// Has cargo bring the lock file up to date after manifests changed.
pub(crate) fn renew(workspace: &Workspace, network: Network, diagnostics: &mut Diagnostics) {
    if let Err(error) = cache::renew(workspace, network) {
        diagnostics.report(rules::metadata_refused::metadata_refused(&error.to_string()));
    }
}

fn read(workspace: &Workspace, metadata: &Metadata, diagnostics: &mut Diagnostics) -> Index {
    let declaring = declaring_packages(workspace, metadata);
    versions::refuse_two_versions(&declaring, metadata, diagnostics);
    let mut table = table::Table::default();
    for &place in &declaring {
        let package = &metadata.packages[place];
        let Some((_, root)) = &package.lib else { continue };
        for file in modules::read_library(root, workspace, diagnostics) {
            table.add(place, &package.name, &file, diagnostics);
        }
    }
    let (mut index, wants) = link::link(&table, metadata, diagnostics);
    plugins::link_plugins(&table, metadata, &wants, &mut index, diagnostics);
    index.packages =
        declaring.iter().filter_map(|&place| entry_of(&metadata.packages[place])).map(|package| (package.name.clone(), package)).collect();
    index
}

/// The runtime and the packages with a library that depend on it, except generated ones, which only wire, and the testkit.
fn declaring_packages(workspace: &Workspace, metadata: &Metadata) -> Vec<usize> {
    let is_runtime = |place: usize| metadata.packages[place].name == RUNTIME;
    let declares = |place: usize| {
        let package = &metadata.packages[place];
        let depends = is_runtime(place) || package.deps.values().any(|dependency| is_runtime(*dependency));
        depends && package.name != TESTKIT && package.lib.is_some() && !package.manifest.starts_with(workspace.generated())
    };
    (0..metadata.packages.len()).filter(|place| declares(*place)).collect()
}

fn entry_of(package: &metadata::MetadataPackage) -> Option<Package> {
    let (lib, _) = package.lib.as_ref()?;
    Some(Package {
        name: package.name.clone(),
        lib: lib.clone(),
        version: package.version.clone(),
        root: package.manifest.parent()?.to_owned(),
        member: package.member,
    })
}
