//! `profile.yml`.

use std::path::PathBuf;
use std::sync::Arc;

use dsh_language::load::{Entry, Key, Named, Node, NodeKind, Reading, is_name};

use super::rules;
use super::settings::{self, BuildSettings};
use crate::diagnostics::{Place, SourceFile};

/// Keys of a profile.
const PROFILE: &[&str] = &["dsh", "profile", "aliases", "bundles", "crates", "patch", "presets", "build"];

/// A profile, without its patch list, which is a layer like others.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its name.
    pub name: Named,
    /// The folder of its file.
    pub folder: PathBuf,
    /// Other names that the binary accepts.
    pub aliases: Vec<Named>,
    /// Bundles in the order in which they apply.
    pub bundles: Vec<Named>,
    /// Plugin crates from outside the workspace.
    pub crates: Vec<Crate>,
    /// Sub-compositions.
    pub presets: Vec<Preset>,
    /// How its binary is built: as flags say, else as the profile does.
    pub build: BuildSettings,
}

/// A plugin crate from outside the workspace.
#[derive(Clone, Debug)]
pub struct Crate {
    /// Its package's name.
    pub name: Named,
    /// Where it comes from.
    pub source: CrateSource,
}

/// Where a crate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrateSource {
    /// A folder, relative to the profile's.
    Path(String),
    /// A revision of a repository.
    Git {
        /// Address of the repository.
        url: String,
        /// The revision.
        rev: String,
    },
    /// A version of the registry.
    Version(String),
}

/// A sub-composition.
#[derive(Clone, Debug)]
pub struct Preset {
    /// Its name.
    pub name: Named,
    /// Bundles in the order in which they apply.
    pub bundles: Vec<Named>,
    /// Applied after the bundles.
    pub patch: Vec<Entry>,
}

/// A profile and its patch list. `None` when it is in another version of the language, or is no mapping.
pub fn profile(reading: &mut Reading<'_>, node: &Node, file: &Arc<SourceFile>, folder: PathBuf) -> Option<(Profile, Vec<Entry>)> {
    if let Some(version) = node.get("dsh")
        && !matches!(&version.kind, NodeKind::Plain(text) if text == "1")
    {
        reading.problems.report(rules::language_version(version));
        return None;
    }
    let fields = reading.fields(node, "a profile", PROFILE)?;
    if fields.lacks("dsh") {
        reading.problems.report(rules::missing_key(node, "a profile", "dsh", "dsh: 1"));
    }
    let folder_name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if fields.lacks("profile") {
        reading.problems.report(rules::missing_key(node, "a profile", "profile", &format!("profile: {folder_name}")));
    }
    let name = fields.value("profile").and_then(|name| reading.name(name, "a profile's name"));
    if let Some(name) = name.as_ref().filter(|name| name.text != folder_name) {
        reading.problems.report(rules::profile_name(name, &folder_name));
    }
    let aliases = fields.value("aliases").map(|node| reading.names(node, "`aliases`", "a profile")).unwrap_or_default();
    for alias in aliases.iter().filter(|alias| name.as_ref().is_some_and(|name| name.text == alias.text)) {
        reading.problems.report(rules::own_alias(alias));
    }
    let bundles = fields.value("bundles").map(|node| reading.names(node, "`bundles`", "a bundle")).unwrap_or_default();
    let crates = fields.value("crates").map(|node| crates(reading, node)).unwrap_or_default();
    let patch = fields.value("patch").map(|node| reading.patch_list(node, "`patch`")).unwrap_or_default();
    let presets = fields.value("presets").map(|node| presets(reading, node, &bundles)).unwrap_or_default();
    let build = fields.value("build").map(|node| settings::read(reading, node)).unwrap_or_default();
    // Without a name of its own it goes by its folder's, so that the rest of it is looked at too.
    let name = name.unwrap_or_else(|| Named { text: folder_name, place: Place::start_of(file) });
    let profile = Profile { name, folder, aliases, bundles, crates, presets, build };
    Some((profile, patch))
}

fn crates(reading: &mut Reading<'_>, node: &Node) -> Vec<Crate> {
    let mut crates = Vec::new();
    for (key, source) in reading.entries(node, "`crates`", "names to sources") {
        if let (Some(name), Some(source)) = (key_name(reading, key, "the name of a crate"), crate_source(reading, key, source)) {
            crates.push(Crate { name, source });
        }
    }
    crates
}

fn crate_source(reading: &mut Reading<'_>, name: &Key, node: &Node) -> Option<CrateSource> {
    if let Some(problem) = rules::named_as_for_cargo(name, node) {
        reading.problems.report(problem);
        return None;
    }
    let fields = reading.fields(node, "a crate", &["path", "git", "rev", "version"])?;
    let mut text = |key: &str| fields.value(key).map(|value| reading.text(value, &format!("`{key}`")).map(|text| text.text));
    // A key with an unusable value was reported; it still counts as given.
    match (text("path"), text("git"), text("rev"), text("version")) {
        (Some(path), None, None, None) => path.map(CrateSource::Path),
        (None, Some(url), Some(rev), None) => url.zip(rev).map(|(url, rev)| CrateSource::Git { url, rev }),
        (None, None, None, Some(version)) => version.map(CrateSource::Version),
        _ => {
            reading.problems.report(rules::crate_source(name, node));
            None
        }
    }
}

fn presets(reading: &mut Reading<'_>, node: &Node, applied: &[Named]) -> Vec<Preset> {
    let mut presets = Vec::new();
    for (key, preset) in reading.entries(node, "`presets`", "names to sub-compositions") {
        let name = key_name(reading, key, "the name of a preset");
        let Some(fields) = reading.fields(preset, "a preset", &["bundles", "patch"]) else { continue };
        let mut bundles = fields.value("bundles").map(|node| reading.names(node, "`bundles`", "a bundle")).unwrap_or_default();
        bundles.retain(|bundle| match applied.iter().find(|first| first.text == bundle.text) {
            Some(first) => {
                reading.problems.report(rules::repeated_bundle(&key.text, bundle, first));
                false
            }
            None => true,
        });
        let patch = fields.value("patch").map(|node| reading.patch_list(node, "`patch`")).unwrap_or_default();
        presets.extend(name.map(|name| Preset { name, bundles, patch }));
    }
    presets
}

fn key_name(reading: &mut Reading<'_>, key: &Key, kind: &str) -> Option<Named> {
    if is_name(&key.text) {
        return Some(Named { text: key.text.clone(), place: key.place.clone() });
    }
    reading.problems.report(rules::bad_name(&key.text, &key.place, kind));
    None
}
