//! The digest of a package's sources. Macros and compiler make it alike: one of what is compiled, the other of what lies there.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::digest::{combine, fnv1a};

/// The digest over all files below `src/` of a package's folder, by name; of none where there is no such folder.
///
/// # Errors
/// When a file cannot be read.
pub fn source_digest(package: &Path) -> io::Result<u64> {
    let root = package.join("src");
    let mut files = Vec::new();
    match list(&root, &mut files) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(combine(&[])),
        listed => listed?,
    }
    files.sort();
    let mut parts = Vec::new();
    for file in &files {
        // What was listed below the root starts with it.
        let name = file.strip_prefix(&root).unwrap_or(file);
        parts.extend([fnv1a(name.to_string_lossy().as_bytes()), fnv1a(&fs::read(file)?)]);
    }
    Ok(combine(&parts))
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            list(&entry.path(), found)?;
        } else {
            found.push(entry.path());
        }
    }
    Ok(())
}
