//! The crates from outside the workspace that a profile lists: looks at those on this machine, has cargo fetch the others, and joins
//! what cargo knows of them with what it knows of the workspace. Runs no code of a crate.

mod asked;
mod manifest;
mod names;
pub(crate) mod rules;

pub(crate) use manifest::{Found, look};

use std::path::{Component, Path, PathBuf};

use crate::diagnostics::{Diagnostics, Place};
use crate::index::{Index, Metadata, Network, RUNTIME};
use crate::load::{Crate, CrateFolder, CrateSource, LoadRequest, Named, Profile, find_bundle};
use crate::resolve::Composition;
use crate::workspace::Workspace;
use asked::{Refused, ask};

/// What a profile's crates are.
pub(crate) struct Outside {
    /// The graph of packages, those of the workspace included.
    pub metadata: Metadata,
    /// Where the sources of the listed crates lie.
    pub folders: Vec<CrateFolder>,
}

/// Finds the crates of a profile; `own` is what cargo knows of the workspace. `None` when one of them cannot be had or used; problems
/// say why.
pub(crate) fn gather(
    workspace: &Workspace,
    own: Metadata,
    profile: &Profile,
    network: Network,
    problems: &mut Diagnostics,
) -> Option<Outside> {
    let mut found = Diagnostics::new();
    names::check(workspace, &own, profile, &mut found);
    for listed in &profile.crates {
        if let CrateSource::Path(path) = &listed.source {
            look_at(workspace, profile, &listed.name, path, &mut found);
        }
    }
    let asked = if found.has_errors() { None } else { ask_cargo(workspace, profile, network, &mut found) };
    problems.append(found);
    let asked = asked?;
    let folder = |listed: &Crate| {
        let package = asked.packages.iter().find(|package| package.name == listed.name.text)?;
        Some(CrateFolder { name: listed.name.text.clone(), folder: package.folder().to_owned() })
    };
    let folders = profile.crates.iter().filter_map(folder).collect();
    Some(Outside { metadata: own.joined(asked), folders })
}

/// Reports what is wrong with a crate on this machine.
fn look_at(workspace: &Workspace, profile: &Profile, name: &Named, path: &str, found: &mut Diagnostics) {
    let folder = profile.folder.join(path);
    let manifest = folder.join("Cargo.toml");
    let shown = workspace.relative(&without_detours(&manifest));
    match look(&manifest) {
        Found::Nothing(reason) => found.report(rules::no_crate(name, &shown, reason)),
        Found::Unreadable(error) => found.report(rules::unreadable_manifest(name, &shown, &error)),
        Found::Package(package) if package != name.text => found.report(rules::other_package(name, &package, &shown)),
        Found::Package(_) => {
            // A profile of the workspace makes a member of what lies in the workspace, which then need not be listed.
            let is_shipped = profile.folder.parent() == Some(&workspace.profiles());
            let real = folder.canonicalize().unwrap_or(folder);
            if workspace.has_plugins() && is_shipped && real.starts_with(workspace.root()) {
                found.report(rules::inside_workspace(name, &workspace.relative(&real)));
            }
        }
    }
}

/// A path without `..`, which is right where no folder on the way is a link.
fn without_detours(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(straight.pop()),
            Component::CurDir => {}
            other => straight.push(other),
        }
    }
    straight
}

/// Asks cargo for all crates, and where that fails for each, so that the one at fault can be named.
fn ask_cargo(workspace: &Workspace, profile: &Profile, network: Network, found: &mut Diagnostics) -> Option<Metadata> {
    let all: Vec<&Crate> = profile.crates.iter().collect();
    let words = match ask(workspace, profile, &all, network) {
        Ok(metadata) => return Some(metadata),
        Err(Refused::Problem(problem)) => {
            found.report(*problem);
            return None;
        }
        Err(Refused::Words(words)) => words,
    };
    for listed in &all {
        if let Err(Refused::Words(words)) = ask(workspace, profile, &[listed], network) {
            found.report(rules::unavailable(&listed.name, &listed.source, network, &words));
        }
    }
    if !found.has_errors() {
        let first = &all[0].name.place;
        let last = &all[all.len() - 1].name.place;
        found.report(rules::apart(&Place::new(&first.file, first.span.start..last.span.end), &words));
    }
    None
}

/// Reports crates that declare nothing, and those that nothing uses.
pub(crate) fn check(request: &LoadRequest, composition: &Composition, index: &Index, metadata: &Metadata, problems: &mut Diagnostics) {
    let profile = &composition.profile;
    let listed_bundles = || profile.bundles.iter().chain(profile.presets.iter().flat_map(|preset| &preset.bundles));
    // What could not be read, or names what is not there, may be meant to use a crate.
    let is_known = |name: &str| index.plugins.contains_key(name);
    let is_whole = composition.complete && composition.all_rows().filter_map(|(_, row)| row.plugin_name()).all(is_known);
    for listed in profile.crates.iter().filter(|listed| listed.name.text != RUNTIME) {
        let name = &listed.name;
        let plugin = index.plugins.values().find(|plugin| plugin.declared.id.package == name.text);
        let bundles = request.crates.iter().find(|found| found.name == name.text).map(bundles).unwrap_or_default();
        if plugin.is_none() && bundles.is_empty() {
            problems.report(rules::no_plugin(name, reason(&name.text, metadata)));
            continue;
        }
        let is_mounted = plugin.is_some_and(|plugin| composition.all_rows().any(|(_, row)| row.plugin_name() == Some(&plugin.name)));
        let is_of_crate = |bundle: &Named| {
            let folder = request.crates.iter().find(|found| found.name == name.text).map(|found| &found.folder);
            folder.zip(find_bundle(request, &profile.folder, bundle).ok()).is_some_and(|(folder, file)| file.starts_with(folder))
        };
        if is_whole && !is_mounted && !listed_bundles().any(is_of_crate) {
            problems.report(rules::unused(name, plugin.map(|plugin| plugin.name.as_str()), &bundles));
        }
    }
}

/// Names of a crate's bundles, sorted.
fn bundles(found: &CrateFolder) -> Vec<String> {
    let entries = std::fs::read_dir(found.folder.join("bundles")).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().to_string_lossy().strip_suffix(".yml").map(str::to_owned));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

const NO_LIBRARY: &str = "its package has no library";

/// Why a package declares nothing.
fn reason(name: &str, metadata: &Metadata) -> Option<&'static str> {
    // Cargo leaves out what a package cannot depend on.
    let Some(package) = metadata.packages.iter().find(|package| package.name == name) else { return Some(NO_LIBRARY) };
    let needs_runtime = package.deps.values().any(|dependency| metadata.packages[*dependency].name == RUNTIME);
    match (&package.lib, needs_runtime) {
        (None, _) => Some(NO_LIBRARY),
        (Some(_), false) => Some("its package does not depend on `dsh-runtime`, as every plugin does"),
        (Some(_), true) => None,
    }
}
