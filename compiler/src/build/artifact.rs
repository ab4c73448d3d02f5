//! Puts the finished binary where the user finds it.

use std::fs;
use std::path::{Path, PathBuf};

use super::BuildError;

/// Copies `made` to `destination` and yields its absolute path. What lay there is replaced at once, also while it runs; a link to
/// cargo's file would change under whoever runs it.
pub(super) fn place(made: &Path, destination: &Path) -> Result<PathBuf, BuildError> {
    let destination = std::path::absolute(destination).map_err(BuildError::io(destination))?;
    let (Some(folder), Some(name)) = (destination.parent(), destination.file_name()) else {
        let error = std::io::Error::new(std::io::ErrorKind::IsADirectory, "not the name of a file");
        return Err(BuildError::Io { path: destination, source: error });
    };
    fs::create_dir_all(folder).map_err(BuildError::io(folder))?;
    let new = folder.join(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let placed = fs::copy(made, &new).and_then(|_| fs::rename(&new, &destination));
    if let Err(source) = placed {
        // What was written so far is of no use.
        let _ = fs::remove_file(&new);
        return Err(BuildError::Io { path: destination, source });
    }
    Ok(destination)
}
