//! Puts the finished binary where the user finds it.

use std::fs;
use std::path::{Path, PathBuf};

use super::BuildError;
use crate::replace::replace;

/// Where a binary can be put: an absolute path whose folder is there and can be written.
pub(super) struct Destination(PathBuf);

impl Destination {
    /// Looks at the place before a build that may take minutes. The folder is made where it is missing.
    pub(super) fn prepare(path: &Path) -> Result<Self, BuildError> {
        let refused = |why| BuildError::Destination { path: path.to_owned(), why };
        let absolute = std::path::absolute(path).map_err(BuildError::io(path))?;
        let Some(folder) = absolute.parent() else { return Err(refused("it is a folder; name the file")) };
        match fs::metadata(&absolute) {
            Ok(found) if found.is_dir() => return Err(refused("it is a folder; name the file")),
            // A device or a socket would be gone.
            Ok(found) if !found.is_file() => return Err(refused("something other than a file lies there")),
            Ok(_) | Err(_) => {}
        }
        fs::create_dir_all(folder).map_err(BuildError::io(folder))?;
        tempfile::tempfile_in(folder).map_err(BuildError::io(folder))?;
        Ok(Self(absolute))
    }

    /// Copies `made` there and yields the path. What lay there is replaced at once, also while it runs; a link to cargo's file would
    /// change under whoever runs it.
    pub(super) fn place(self, made: &Path) -> Result<PathBuf, BuildError> {
        replace(&self.0, |new| fs::copy(made, new).map(drop)).map_err(BuildError::io(&self.0))?;
        Ok(self.0)
    }
}
