//! Where profiles and bundles lie.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use dsh_language::load::{Named, PROFILE_FILE, is_name, printable};

use super::rules;
use super::{CrateFolder, LoadRequest};
use crate::diagnostics::Diagnostic;

/// The file of the profile that was asked for, by name or by path; relative paths are relative to the request's `cwd`.
///
/// # Errors
/// No profile has the name, or nothing lies at the path.
pub fn find_profile(request: &LoadRequest) -> Result<PathBuf, Box<Diagnostic>> {
    let asked = &request.profile;
    if !is_name(asked) {
        return find_profile_at(request, Path::new(asked));
    }
    let candidates: Vec<PathBuf> = profile_folders(request).iter().map(|folder| folder.join(asked).join(PROFILE_FILE)).collect();
    match candidates.iter().find(|file| is_there(&request.cwd.join(file))) {
        Some(found) => Ok(found.clone()),
        None => {
            let searched: Vec<String> = candidates.iter().map(|file| display_name(request, file)).collect();
            let is_path = is_there(&request.cwd.join(asked).join(PROFILE_FILE));
            Err(Box::new(rules::unknown_profile(asked, &searched, &known_profiles(request), is_path)))
        }
    }
}

/// The file of the profile at a path, which is that of its folder or of its file.
fn find_profile_at(request: &LoadRequest, path: &Path) -> Result<PathBuf, Box<Diagnostic>> {
    let full = request.cwd.join(path);
    let file = if full.is_dir() { path.join(PROFILE_FILE) } else { path.to_path_buf() };
    match is_there(&request.cwd.join(&file)) {
        true => Ok(file),
        false => Err(Box::new(rules::no_profile_at(&request.profile, &display_name(request, &file), &known_profiles(request)))),
    }
}

/// Whether something lies at a path, be it a link that leads nowhere or what this user may not see. Reading it then says more.
fn is_there(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

/// The file of a bundle that a profile in `folder` lists.
///
/// # Errors
/// No file, or more than one, has the name.
pub fn find_bundle(request: &LoadRequest, folder: &Path, bundle: &Named) -> Result<PathBuf, Box<Diagnostic>> {
    let folders = bundle_folders(request, folder);
    let candidates: Vec<PathBuf> = folders.iter().map(|folder| folder.join(format!("{}.yml", bundle.text))).collect();
    let found: Vec<&PathBuf> = candidates.iter().filter(|file| is_there(&request.cwd.join(file))).collect();
    let names = |files: &[&PathBuf]| files.iter().map(|file| display_name(request, file)).collect::<Vec<_>>();
    match found[..] {
        [file] => Ok(file.clone()),
        [] => {
            let mut known = BTreeSet::new();
            for folder in &folders {
                known.extend(
                    entries(request, folder).filter_map(|entry| entry.strip_suffix(".yml").map(str::to_owned)).filter(|name| is_name(name)),
                );
            }
            let searched = names(&candidates.iter().collect::<Vec<_>>());
            Err(Box::new(rules::unknown_bundle(bundle, &searched, &known.into_iter().collect::<Vec<_>>())))
        }
        _ => Err(Box::new(rules::ambiguous_bundle(bundle, &names(&found)))),
    }
}

/// Names of the profiles that can be asked for by name, sorted.
#[must_use]
pub fn known_profiles(request: &LoadRequest) -> Vec<String> {
    let mut known = BTreeSet::new();
    for folder in profile_folders(request) {
        known.extend(
            entries(request, &folder).filter(|name| is_name(name) && request.cwd.join(&folder).join(name).join(PROFILE_FILE).is_file()),
        );
    }
    known.into_iter().collect()
}

/// Files of the bundles that a profile can list, by name: those of the workspace and those beside one of the known profiles.
#[must_use]
pub fn known_bundles(request: &LoadRequest) -> Vec<(String, PathBuf)> {
    let profiles = known_profiles(request);
    let own = profile_folders(request).into_iter().flat_map(|folder| profiles.iter().map(move |name| folder.join(name).join("bundles")));
    let mut known = BTreeSet::new();
    for folder in std::iter::once(shared_bundles(request)).chain(own) {
        let named = |entry: String| Some((entry.strip_suffix(".yml").filter(|name| is_name(name))?.to_owned(), folder.join(&entry)));
        known.extend(entries(request, &folder).filter_map(named));
    }
    known.into_iter().collect()
}

fn profile_folders(request: &LoadRequest) -> Vec<PathBuf> {
    let workspace = request.workspace.join("profiles");
    std::iter::once(workspace).chain(request.home.iter().map(|home| home.join("profiles"))).collect()
}

fn bundle_folders(request: &LoadRequest, profile: &Path) -> Vec<PathBuf> {
    let of_crates = request.crates.iter().map(|found| found.folder.join("bundles"));
    [shared_bundles(request), profile.join("bundles")].into_iter().chain(of_crates).collect()
}

fn shared_bundles(request: &LoadRequest) -> PathBuf {
    request.workspace.join("profiles").join("bundles")
}

/// Names in a folder; nothing when it cannot be listed, since a folder to look into need not be there.
fn entries(request: &LoadRequest, folder: &Path) -> impl Iterator<Item = String> + use<> {
    let entries = std::fs::read_dir(request.cwd.join(folder)).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}

/// How messages call a file: relative to the workspace with `/`, or as it was given when it lies outside.
#[must_use]
pub fn display_name(request: &LoadRequest, path: &Path) -> String {
    let inside = relative(&absolute(request, path), &absolute(request, &request.workspace));
    inside.unwrap_or_else(|| printable(&path.to_string_lossy()))
}

/// How generated files call a file: by the crate that it is a bundle of, or relative to the workspace or else to the profile's
/// folder, with `/`. What lies in none of them was given for one build, whose generated files are not kept; they call it as it was
/// given.
#[must_use]
pub fn origin_name(request: &LoadRequest, profile: &Path, path: &Path) -> String {
    let full = absolute(request, path);
    let of_crate = |found: &CrateFolder| Some(format!("{}/{}", found.name, relative(&full, &found.folder)?));
    if let Some(name) = request.crates.iter().find_map(of_crate) {
        return name;
    }
    let inside = relative(&full, &absolute(request, &request.workspace)).or_else(|| relative(&full, profile));
    inside.unwrap_or_else(|| printable(&path.to_string_lossy()))
}

fn relative(path: &Path, folder: &Path) -> Option<String> {
    let parts: Vec<_> = path.strip_prefix(folder).ok()?.iter().map(|part| printable(&part.to_string_lossy())).collect();
    Some(parts.join("/"))
}

/// The path from the root, without `.` and `..`, which is right where no folder on the way is a link.
#[must_use]
pub fn absolute(request: &LoadRequest, path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in request.cwd.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => normal.push(part),
        }
    }
    normal
}
