//! The folder of the store, before anything is written to it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// A configured folder as an absolute path without `.` in it.
pub(crate) fn absolute(cwd: &Path, configured: &Path) -> PathBuf {
    cwd.join(configured).components().collect()
}

/// Checks that sessions can be kept there, so that no work is done whose record would be lost: the folder, or the nearest one
/// above it that exists, is a folder that this process may read and write. Nothing is created.
///
/// # Errors
/// What is wrong, for whoever started the binary.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let refuse = |at: &Path, reason: &dyn std::fmt::Display| {
        let place = if at == root { String::new() } else { format!(" (`{}` {reason})", at.display()) };
        let reason = if at == root { format!(": it {reason}") } else { place };
        Err(format!("sessions cannot be kept in `{}`{reason}; name another folder as `root` of this row", root.display()))
    };
    for at in root.ancestors() {
        match std::fs::metadata(at) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return refuse(at, &format!("cannot be used: {error}")),
            Ok(found) if !found.is_dir() => return refuse(at, &"is no folder"),
            Ok(_) => {
                let allowed = access(at, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK);
                return allowed.or_else(|error| refuse(at, &format!("may not be read and written: {error}")));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{absolute, check};
    use std::path::Path;

    #[test]
    fn a_path_has_no_dots() {
        assert_eq!(absolute(Path::new("/w"), Path::new("./.sessions")), Path::new("/w/.sessions"));
        assert_eq!(absolute(Path::new("/w"), Path::new("/a/./b")), Path::new("/a/b"));
    }

    #[test]
    fn a_place_that_is_no_folder_is_refused_and_an_absent_one_is_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(check(&file).unwrap_err().contains("it is no folder"));
        let error = check(&file.join("deep/er")).unwrap_err();
        assert!(error.contains("file`") && error.contains("name another folder"), "{error}");
        let absent = folder.path().join("not/yet");
        check(&absent).unwrap();
        assert!(!absent.exists());
        assert!(check(Path::new("/proc/self/nothing/here")).is_err() || rustix::process::geteuid().is_root());
    }
}
