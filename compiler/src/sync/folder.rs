//! A folder of generated files on disk.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{Change, Target};
use crate::build::BuildError;
use crate::catalog;
use crate::replace::replace;
use crate::workspace::Workspace;

/// Makes a folder hold exactly these files. Yields whether anything changed.
pub(crate) fn write_generated(folder: &Path, files: &BTreeMap<&'static str, String>) -> Result<bool, BuildError> {
    let mut changed = write_crate(folder, files)?;
    for path in strangers(folder, files)? {
        fs::remove_file(&path).map_err(BuildError::io(&path))?;
        changed = true;
    }
    Ok(changed)
}

/// Makes a folder hold these files, whatever else is in it. A file that is right already is left alone, so that cargo compiles
/// nothing again. Yields whether anything changed.
pub(crate) fn write_crate(folder: &Path, files: &BTreeMap<&'static str, String>) -> Result<bool, BuildError> {
    let mut changed = false;
    for (name, text) in files {
        let path = folder.join(name);
        if read(&path)?.as_deref() != Some(text.as_bytes()) {
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(BuildError::io(parent))?;
            replace(&path, |new| fs::write(new, text)).map_err(BuildError::io(&path))?;
            changed = true;
        }
    }
    Ok(changed)
}

/// How a folder differs from what it should be.
pub(super) fn difference(workspace: &Workspace, target: &Target) -> Result<Vec<Change>, BuildError> {
    let Target { folder, files } = target;
    let mut changes = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        let held = read(&path)?.unwrap_or_default();
        if held != text.as_bytes() {
            changes.push(Change::of_text(workspace.relative(&path), &String::from_utf8_lossy(&held), text));
        }
    }
    changes.extend(strangers(folder, files)?.iter().map(|path| Change::Orphan { path: workspace.relative(path) }));
    Ok(changes)
}

/// `None` when there is no such file.
fn read(path: &Path) -> Result<Option<Vec<u8>>, BuildError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(source) => Err(BuildError::Io { path: path.to_owned(), source }),
    }
}

/// Other files in the folder.
fn strangers(folder: &Path, files: &BTreeMap<&'static str, String>) -> Result<Vec<PathBuf>, BuildError> {
    let mut found = Vec::new();
    if folder.is_dir() {
        list(folder, &mut found)?;
    }
    // The catalogs of a profile are a folder of their own.
    let catalogs = folder.join(catalog::FOLDER);
    found.retain(|path| !path.starts_with(&catalogs) && !files.keys().any(|name| folder.join(name) == *path));
    found.sort();
    Ok(found)
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), BuildError> {
    for entry in fs::read_dir(folder).map_err(BuildError::io(folder))? {
        let entry = entry.map_err(BuildError::io(folder))?;
        if entry.file_type().map_err(BuildError::io(folder))?.is_dir() {
            list(&entry.path(), found)?;
        } else {
            found.push(entry.path());
        }
    }
    Ok(())
}
