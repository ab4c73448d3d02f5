//! Listing a directory.

use std::io;

use dsh_fs::{DirEntry, FileKind, FsError, FsErrorCode, FsTarget};
use dsh_runtime::CancellationToken;

use crate::failure::{check_cancelled, from_io};
use crate::metadata;

/// Most children that one listing holds in memory; larger directories fail with `FS_TOO_LARGE`.
const MAX_ENTRIES: usize = 100_000;

/// Direct children of a directory.
pub fn list_dir(target: &FsTarget, cancel: &CancellationToken) -> Result<Vec<DirEntry>, FsError> {
    let shown = &target.display_path;
    let path = target.target_key.as_path();
    let fail = |error: &io::Error| match error.kind() {
        io::ErrorKind::NotADirectory => FsError::new(FsErrorCode::NotDirectory, format!("`{}` is not a directory", shown.display())),
        _ => from_io(error, "list", shown),
    };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| fail(&error))? {
        check_cancelled(cancel)?;
        let name = entry.map_err(|error| fail(&error))?.file_name();
        if entries.len() == MAX_ENTRIES {
            let message = format!("`{}` has more than {MAX_ENTRIES} entries", shown.display());
            return Err(FsError::new(FsErrorCode::TooLarge, message));
        }
        let kind = std::fs::metadata(path.join(&name)).map_or(FileKind::Other, |child| metadata::kind(&child));
        entries.push(DirEntry { name, kind });
    }
    entries.sort_by_cached_key(|entry| (entry.name.to_string_lossy().to_lowercase(), entry.name.clone()));
    Ok(entries)
}
