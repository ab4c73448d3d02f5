//! Plugins in crates that cannot have one: without the runtime among its dependencies a crate is taken for a plain library, and its
//! plugin would be told to be unknown.

use std::fs;
use std::path::Path;

use dsh_declare::model::Declaration;
use dsh_declare::source::declarations;

use super::metadata::{Metadata, MetadataPackage};
use super::modules::{place, read_library};
use super::rules::missing_runtime::missing_runtime;
use super::{Listed, RUNTIME};
use crate::diagnostics::{Diagnostics, Place};
use crate::workspace::Workspace;

/// Reports them, among the crates where plugins are expected: those of `plugins/` and those that a profile lists.
pub(super) fn check(workspace: &Workspace, metadata: &Metadata, listed: Option<Listed<'_>>, diagnostics: &mut Diagnostics) {
    let plugins = workspace.root().join("plugins");
    let is_listed =
        |package: &MetadataPackage| listed.is_some_and(|listed| listed.crates.iter().any(|found| found.name.text == package.name));
    let is_candidate = |package: &&MetadataPackage| {
        let depends = package.deps.values().any(|dependency| metadata.packages[*dependency].name == RUNTIME);
        !depends && package.name != RUNTIME && (package.manifest.starts_with(&plugins) || is_listed(package))
    };
    for package in metadata.packages.iter().filter(is_candidate) {
        let Some((_, root)) = &package.lib else { continue };
        if root.parent().is_some_and(speaks_of_plugins)
            && let Some(place) = plugin(root, workspace)
        {
            diagnostics.report(missing_runtime(&package.name, &place, &workspace.relative(&package.manifest)));
        }
    }
}

/// Whether a file in a folder may hold a plugin, by a glance at its text.
fn speaks_of_plugins(folder: &Path) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => speaks_of_plugins(&entry.path()),
        _ => fs::read_to_string(entry.path()).is_ok_and(|text| text.contains("plugin")),
    })
}

/// Where a library declares a plugin. What else is wrong with it is rustc's to say.
fn plugin(root: &Path, workspace: &Workspace) -> Option<Place> {
    let library = read_library(root, workspace, &mut Diagnostics::new());
    library.files.into_iter().find_map(|file| {
        let (found, _) = declarations(file.syntax);
        found.into_iter().find_map(|declaration| match declaration {
            Declaration::Plugin(decl) => Some(place(&file.source, decl.name.span())),
            _ => None,
        })
    })
}
