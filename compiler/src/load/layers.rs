//! Reads everything that a composition is made of. The only part of the front half that touches files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::entry::Entry;
use super::find::{absolute, display_name, find_bundle, find_profile};
use super::node::Node;
use super::profile::Profile;
use super::read::read;
use super::reading::Reading;
use super::yaml::parse;
use crate::diagnostics::{Diagnostics, SourceFile};

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
}

/// What the files say, read but not applied.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The profile.
    pub profile: Profile,
    /// Patch lists in the order in which they apply.
    pub layers: Vec<Layer>,
    /// Whether nothing was left out because it could not be read.
    pub complete: bool,
}

/// One patch list.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Where it comes from.
    pub origin: Origin,
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// Where a layer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The bundle of this name.
    Bundle(String),
    /// The profile's `patch`.
    Profile,
    /// A file of the command line.
    CommandLine,
}

/// Reads the profile that was asked for, its bundles and the patch files. `None` when there is no profile to go on with; problems
/// say why.
pub fn load(request: &LoadRequest, problems: &mut Diagnostics) -> Option<Loaded> {
    let path = find_profile(request).map_err(|problem| problems.report(*problem)).ok()?;
    let folder = absolute(request, &path).parent().map(Path::to_path_buf).unwrap_or_default();
    let (file, root) = document(request, &path, problems)?;
    let mut reading = Reading::new(problems);
    let (profile, patch) = reading.profile(&root, &file, folder)?;
    let mut complete = reading.complete;
    let mut layers = Vec::new();
    for bundle in &profile.bundles {
        match find_bundle(request, &profile.folder, bundle) {
            Ok(path) => {
                let layer = layer(request, &path, Origin::Bundle(bundle.text.clone()), problems);
                complete &= layer.as_ref().is_some_and(|(_, complete)| *complete);
                layers.extend(layer.map(|(layer, _)| layer));
            }
            Err(problem) => {
                problems.report(*problem);
                complete = false;
            }
        }
    }
    layers.push(Layer { origin: Origin::Profile, entries: patch });
    for path in &request.patches {
        let layer = layer(request, path, Origin::CommandLine, problems);
        complete &= layer.as_ref().is_some_and(|(_, complete)| *complete);
        layers.extend(layer.map(|(layer, _)| layer));
    }
    Some(Loaded { profile, layers, complete })
}

fn layer(request: &LoadRequest, path: &Path, origin: Origin, problems: &mut Diagnostics) -> Option<(Layer, bool)> {
    let root = document(request, path, problems)?.1;
    let mut reading = Reading::new(problems);
    let entries = reading.patch_list(&root, "a patch list");
    let complete = reading.complete;
    Some((Layer { origin, entries }, complete))
}

fn document(request: &LoadRequest, path: &Path, problems: &mut Diagnostics) -> Option<(Arc<SourceFile>, Node)> {
    match read(&request.cwd.join(path), &display_name(request, path)) {
        Ok(file) => parse(&file, problems).map(|root| (file, root)),
        Err(problem) => {
            problems.report(*problem);
            None
        }
    }
}
