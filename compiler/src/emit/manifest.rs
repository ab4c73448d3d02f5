//! The manifest: only what the wiring names is a dependency, so that what a profile does not use is not linked.

use std::fmt::Write;
use std::path::Path;

use super::first_line;
use crate::agent_names::{binary, package};
use crate::index::{PackageSource, RUNTIME};
use crate::plan::{Crate, Plan};

/// The cargo profiles of a crate that stands in no workspace; those of this compiler's own workspace.
pub(super) const CARGO_PROFILES: &str = include_str!("cargo_profiles.toml");

/// How a manifest is written.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// For a member of the workspace.
    Member,
    /// For a workspace of its own, in `generated/` of the profile's folder.
    Standing,
    /// For a workspace of its own that lies anywhere on this machine: every folder is named from the root.
    Anywhere {
        /// Root of the workspace.
        workspace: &'a Path,
        /// The profile's folder.
        profile: &'a Path,
    },
}

/// `Cargo.toml`.
pub(super) fn manifest(plan: &Plan, form: Form<'_>) -> String {
    let profile = &plan.profile;
    let dependency = |(package, found): (&String, &Crate)| dependency(package, found, form, plan.is_sealed);
    let dependencies: String = plan.crates.iter().map(dependency).collect();
    format!(
        "# {first}\n\
         [package]\n\
         name = \"{package}\"\n\
         description = \"The agent of the profile `{profile}`, wired by dsh-build.\"\n\
         {settings}\
         \n\
         [[bin]]\n\
         name = \"{binary}\"\n\
         path = \"src/main.rs\"\n\
         \n\
         [dependencies]\n\
         {dependencies}{cargo_profiles}",
        first = first_line(profile),
        package = package(profile),
        binary = binary(profile),
        settings = settings(form),
        cargo_profiles = if matches!(form, Form::Member) { String::new() } else { format!("\n{CARGO_PROFILES}") },
    )
}

fn settings(form: Form<'_>) -> &'static str {
    match form {
        Form::Member => {
            "version.workspace = true\n\
             edition.workspace = true\n\
             rust-version.workspace = true\n\
             license.workspace = true\n\
             publish.workspace = true\n\
             \n\
             [lints]\n\
             workspace = true\n"
        }
        Form::Standing | Form::Anywhere { .. } => {
            concat!("version = \"", env!("CARGO_PKG_VERSION"), "\"\nedition = \"2024\"\npublish = false\n\n[workspace]\n")
        }
    }
}

fn dependency(package: &str, found: &Crate, form: Form<'_>, is_sealed: bool) -> String {
    let features = if is_sealed { "" } else { features(package) };
    match source(&found.source, form) {
        None if features.is_empty() => format!("{package}.workspace = true\n"),
        None => format!("{package} = {{ workspace = true{features} }}\n"),
        Some(source) => format!("{package} = {{ {source}{features} }}\n"),
    }
}

/// The key for what a binary that takes overlays when it starts needs of a package.
fn features(package: &str) -> &'static str {
    if package == RUNTIME { ", features = [\"overlays\"]" } else { "" }
}

/// The keys that say where a package is found; `None` where the workspace does. A folder of the workspace is named as it is seen from
/// the workspace's `generated/<profile>/`, so that a new plugin needs no line in the workspace's manifest; one that the profile names,
/// as it is seen from `generated/<profile>/` of the profile's folder.
fn source(source: &PackageSource, form: Form<'_>) -> Option<String> {
    let folder = |folder: &str, root: Option<&Path>| {
        let path = match root {
            Some(root) => root.join(folder).to_string_lossy().into_owned(),
            None if Path::new(folder).is_absolute() => folder.to_owned(),
            None => format!("../../{}", folder.strip_prefix("./").unwrap_or(folder)),
        };
        Some(format!("path = {}", text(&path)))
    };
    let (workspace, profile) = match form {
        Form::Member | Form::Standing => (None, None),
        Form::Anywhere { workspace, profile } => (Some(workspace), Some(profile)),
    };
    match source {
        PackageSource::Inherited => None,
        PackageSource::Workspace(path) => folder(path, workspace),
        PackageSource::Path(path) => folder(path, profile),
        PackageSource::Git { .. } | PackageSource::Registry { .. } => Some(remote(source)),
    }
}

/// The keys for what lies elsewhere.
fn remote(source: &PackageSource) -> String {
    let mut keys = String::new();
    // Writing to a string does not fail.
    let _ = match source {
        PackageSource::Git { url, reference: Some((kind, value)) } => write!(keys, "git = {}, {kind} = {}", text(url), text(value)),
        PackageSource::Git { url, reference: None } => write!(keys, "git = {}", text(url)),
        PackageSource::Registry { version } => write!(keys, "version = {}", text(version)),
        PackageSource::Inherited | PackageSource::Workspace(_) | PackageSource::Path(_) => Ok(()),
    };
    keys
}

/// A string of TOML.
fn text(value: &str) -> String {
    toml::Value::from(value).to_string()
}

/// A manifest of a package without code that depends on `crates`: cargo names only what a manifest depends on. `folder` is that of
/// the profile.
pub(crate) fn asking_manifest(profile: &str, folder: &Path, crates: &[(&str, PackageSource)]) -> String {
    let form = Form::Anywhere { workspace: folder, profile: folder };
    let dependencies =
        crates.iter().filter_map(|(package, found)| Some(format!("{package} = {{ {}{} }}\n", source(found, form)?, features(package))));
    format!(
        "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[lib]\npath = \"lib.rs\"\n\n[workspace]\n\n[dependencies]\n{}",
        package(profile),
        dependencies.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::CARGO_PROFILES;

    /// What was compiled for the workspace serves a crate that stands outside of it.
    #[test]
    fn the_cargo_profiles_are_those_of_the_workspace() {
        let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")).unwrap();
        assert!(manifest.ends_with(CARGO_PROFILES), "`cargo_profiles.toml` is a copy of the end of the workspace's manifest");
    }
}
