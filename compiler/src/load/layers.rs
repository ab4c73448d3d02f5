//! Reads everything that a composition is made of. The only part of the front half that touches files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_language::load::{Entry, Layer, Named, Node, Origin, Reading, parse, read};

use super::find::{absolute, display_name, find_bundle, find_profile, origin_name};
use super::profile::{self, Profile};
use super::rules;
use super::settings::BuildFlags;
use crate::diagnostics::{Diagnostics, Severity, SourceFile};

/// What to load, and from where.
#[derive(Clone, Debug)]
pub struct LoadRequest {
    /// The workspace's folder.
    pub workspace: PathBuf,
    /// The harness home (`$DSH_HOME`).
    pub home: Option<PathBuf>,
    /// The folder that paths of the command line are relative to.
    pub cwd: PathBuf,
    /// Name of a profile, or a path to its folder or file.
    pub profile: String,
    /// Patch files of the command line, in order.
    pub patches: Vec<PathBuf>,
    /// The crates that the profile lists, each of which may have a folder `bundles`.
    pub crates: Vec<CrateFolder>,
    /// How the binary is built where it is not as the profile says.
    pub flags: BuildFlags,
}

/// A crate that a profile lists, where its source lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrateFolder {
    /// Its package's name.
    pub name: String,
    /// The folder of its manifest, absolute.
    pub folder: PathBuf,
}

/// What the files say, read but not applied.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The profile.
    pub profile: Profile,
    /// Patch lists in the order in which they apply.
    pub layers: Vec<Layer>,
    /// Patch lists of each preset of the profile, likewise.
    pub presets: Vec<Vec<Layer>>,
    /// Whether nothing was left out because it could not be read.
    pub complete: bool,
}

/// Reads the profile that was asked for, its bundles and the patch files. `None` when there is no profile to go on with; problems
/// say why.
pub fn load(request: &LoadRequest, problems: &mut Diagnostics) -> Option<Loaded> {
    let (path, mut loading) = Loading::of_profile(request, problems)?;
    let profile = loading.profile(&path);
    // Patch files are looked at even where there is nothing that they could change, so that all problems are told at once.
    let (profile, mut layers, presets) = match profile {
        Some((profile, patch)) => {
            let layers = loading.bundles_and_patch(&profile.bundles, patch);
            let presets = profile.presets.iter().map(|preset| loading.bundles_and_patch(&preset.bundles, preset.patch.clone())).collect();
            (Some(profile), layers, presets)
        }
        None => (None, Vec::new(), Vec::new()),
    };
    layers.extend(request.patches.iter().filter_map(|path| loading.patch_file(path)));
    let complete = loading.complete;
    profile.map(|profile| Loaded { profile, layers, presets, complete })
}

/// Reads the profile that was asked for without its bundles: what it lists under `crates` must be had before they can be found.
/// `None` when there is none to go on with; problems say why.
pub fn load_profile(request: &LoadRequest, problems: &mut Diagnostics) -> Option<Profile> {
    let (path, mut loading) = Loading::of_profile(request, problems)?;
    loading.profile(&path).map(|(profile, _)| profile)
}

/// Reads the file of one bundle, with its text. `None` when it could not be read; problems say why.
pub fn load_bundle(request: &LoadRequest, path: &Path, problems: &mut Diagnostics) -> Option<(Arc<SourceFile>, Vec<Entry>)> {
    let mut loading = Loading { request, problems, applied: BTreeSet::new(), folder: PathBuf::new(), complete: true };
    let (file, root) = loading.document(path)?;
    let entries = Reading::new(loading.problems).patch_list(&root, "a patch list");
    Some((file, entries))
}

struct Loading<'a> {
    request: &'a LoadRequest,
    problems: &'a mut Diagnostics,
    /// Files that were read, by their absolute path.
    applied: BTreeSet<PathBuf>,
    /// The profile's folder.
    folder: PathBuf,
    /// Whether nothing was left out.
    complete: bool,
}

impl<'a> Loading<'a> {
    /// The file of the profile, and what to read it with.
    fn of_profile(request: &'a LoadRequest, problems: &'a mut Diagnostics) -> Option<(PathBuf, Self)> {
        let path = find_profile(request).map_err(|problem| problems.report(*problem)).ok()?;
        let folder = absolute(request, &path).parent().map(Path::to_path_buf).unwrap_or_default();
        let applied = BTreeSet::from([absolute(request, &path)]);
        Some((path, Self { request, problems, applied, folder, complete: true }))
    }

    fn profile(&mut self, path: &Path) -> Option<(Profile, Vec<Entry>)> {
        let (file, root) = self.document(path)?;
        let mut reading = Reading::new(self.problems);
        let (mut profile, patch) = profile::profile(&mut reading, &root, &file, self.folder.clone())?;
        self.complete &= reading.complete;
        profile.build = self.request.flags.over(profile.build);
        Some((profile, patch))
    }

    fn bundles_and_patch(&mut self, bundles: &[Named], patch: Vec<Entry>) -> Vec<Layer> {
        let mut layers: Vec<Layer> = bundles.iter().filter_map(|bundle| self.bundle(bundle)).collect();
        layers.push(Layer { origin: Origin::Profile, entries: patch });
        layers
    }

    fn bundle(&mut self, bundle: &Named) -> Option<Layer> {
        match find_bundle(self.request, &self.folder, bundle) {
            Ok(path) => {
                self.applied.insert(absolute(self.request, &path));
                self.layer(&path, Origin::Bundle(bundle.text.clone()))
            }
            Err(problem) => {
                self.problems.report(*problem);
                self.complete = false;
                None
            }
        }
    }

    fn patch_file(&mut self, path: &Path) -> Option<Layer> {
        if !self.applied.insert(absolute(self.request, path)) {
            self.problems.report(rules::repeated_file(&display_name(self.request, path)));
            return None;
        }
        self.layer(path, Origin::CommandLine)
    }

    fn layer(&mut self, path: &Path, origin: Origin) -> Option<Layer> {
        let Some((_, root)) = self.document(path) else {
            self.complete = false;
            return None;
        };
        let mut reading = Reading::new(self.problems);
        let entries = reading.patch_list(&root, "a patch list");
        self.complete &= reading.complete;
        Some(Layer { origin, entries })
    }

    fn document(&mut self, path: &Path) -> Option<(Arc<SourceFile>, Node)> {
        let (name, origin) = (display_name(self.request, path), origin_name(self.request, &self.folder, path));
        match read(&self.request.cwd.join(path), &name, &origin) {
            Ok(file) => {
                let before = self.problems.count(Severity::Error);
                let root = parse(&file, self.problems);
                // Of a key that is given twice, and of what the language does not have, no value is known.
                self.complete &= self.problems.count(Severity::Error) == before;
                root.map(|root| (file, root))
            }
            Err(problem) => {
                self.problems.report(*problem);
                None
            }
        }
    }
}
