//! Kind, size and version of what a path leads to.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use dsh_fs::{FileKind, FileStat, FsError, FsErrorCode, FsTarget, Version};

use crate::failure::from_io;

/// Metadata of a target, symlinks followed; `None` when nothing is there.
pub fn of(target: &FsTarget) -> Result<Option<Metadata>, FsError> {
    at(target.target_key.as_path(), &target.display_path)
}

/// The same for a path; `shown` names it in an error.
pub fn at(path: &Path, shown: &Path) -> Result<Option<Metadata>, FsError> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(from_io(&error, "look at", shown)),
    }
}

/// What callers of the service see of it.
pub fn stat(metadata: &Metadata) -> FileStat {
    FileStat { kind: kind(metadata), version: version(metadata), size: Some(metadata.len()) }
}

/// The kind of file.
pub fn kind(metadata: &Metadata) -> FileKind {
    match (metadata.is_file(), metadata.is_dir()) {
        (true, _) => FileKind::File,
        (_, true) => FileKind::Directory,
        _ => FileKind::Other,
    }
}

/// A token that changes when the file is written, replaced, or has its mode or links changed.
pub fn version(metadata: &Metadata) -> Version {
    let mtime = i128::from(metadata.mtime()) * 1_000_000_000 + i128::from(metadata.mtime_nsec());
    let ctime = i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec());
    Version::new(format!("{}:{}:{}:{mtime}:{ctime}", metadata.dev(), metadata.ino(), metadata.len()))
}

/// Refuses what is not a regular file.
pub fn require_regular(metadata: &Metadata, shown: &Path) -> Result<(), FsError> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(FsError::new(FsErrorCode::NotRegularFile, format!("`{}` is not a regular file", shown.display())))
}
