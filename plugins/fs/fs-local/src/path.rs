//! From a path as it is written to the identity of a file.

use std::io;
use std::path::{Component, Path, PathBuf};

use dsh_fs::{FsError, FsErrorCode, FsTarget, TargetKey};

use crate::failure::from_io;

/// Joins a path to its base and removes `.` and `..` by their text, so that the path which is shown is the one acted on.
pub fn absolute(path: &Path, base: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in base.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    whole
}

/// Resolves a path against an absolute base.
pub fn resolve(path: &Path, base: &Path) -> Result<FsTarget, FsError> {
    if path.to_str().is_some_and(|text| text.trim().is_empty()) {
        return Err(FsError::new(FsErrorCode::NotFound, "the path is blank"));
    }
    let display_path = absolute(path, base);
    let key = real(&display_path).map_err(|error| from_io(&error, "resolve", &display_path))?;
    Ok(FsTarget { display_path, target_key: TargetKey::new(key) })
}

/// The path without symlinks. Of a missing file it is the real path of the nearest ancestor that exists with the missing rest
/// after it; a symlink that leads nowhere counts as the file that it names.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    let missing = match std::fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => error,
        outcome => return outcome,
    };
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Err(missing) };
    let parent = real(parent)?;
    match std::fs::read_link(parent.join(name)) {
        // A loop of links ends here: `canonicalize` reports it as an error of its own.
        Ok(destination) => real(&parent.join(destination)),
        Err(_) => Ok(parent.join(name)),
    }
}
