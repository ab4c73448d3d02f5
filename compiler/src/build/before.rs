//! The tree as it was before a build, to be put back when there is none.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::BuildError;
use crate::replace::replace;

/// The files of a generated crate, and a lock file.
pub(super) struct Before {
    folder: PathBuf,
    /// Whole bytes of each file that was there.
    files: BTreeMap<PathBuf, Vec<u8>>,
    lock_file: PathBuf,
}

impl Before {
    /// Reads them.
    pub(super) fn of(folder: &Path, lock_file: &Path) -> Result<Self, BuildError> {
        let mut files = BTreeMap::new();
        for path in files_below(folder).into_iter().chain([lock_file.to_owned()]) {
            match fs::read(&path) {
                Ok(bytes) => drop(files.insert(path, bytes)),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(BuildError::io(&path)(error)),
            }
        }
        Ok(Self { folder: folder.to_owned(), files, lock_file: lock_file.to_owned() })
    }

    /// Puts back what changed and removes what is new.
    pub(super) fn restore(&self) -> Result<(), BuildError> {
        for (path, bytes) in &self.files {
            if fs::read(path).ok().as_ref() != Some(bytes) {
                put(path, bytes).map_err(BuildError::io(path))?;
            }
        }
        for path in files_below(&self.folder).into_iter().chain([self.lock_file.clone()]) {
            if !self.files.contains_key(&path) && path.exists() {
                fs::remove_file(&path).map_err(BuildError::io(&path))?;
            }
        }
        if !self.files.keys().any(|path| path.starts_with(&self.folder)) {
            // Nothing was there; the folders that are left are empty.
            let _ = fs::remove_dir_all(&self.folder);
            if let Some(generated) = self.folder.parent() {
                let _ = fs::remove_dir(generated);
            }
        }
        Ok(())
    }
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    replace(path, |new| fs::write(new, bytes))
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files.extend(files_below(&entry.path())),
            _ => files.push(entry.path()),
        }
    }
    files
}
