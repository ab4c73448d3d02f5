//! Files are replaced at once: whoever reads one sees the old text or the new one, and a run that is killed leaves the old.

use std::fs;
use std::io;
use std::path::Path;

/// Has `write` make a new file beside `path`, which then takes its place, also while the old one is in use.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file"))?;
    let new = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let replaced = write(&new).and_then(|()| fs::rename(&new, path));
    if replaced.is_err() {
        // What was written so far is of no use.
        let _ = fs::remove_file(&new);
    }
    replaced
}
