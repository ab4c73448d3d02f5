//! Finding programs.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dsh_runtime::Environment;
use dsh_subprocess::ExecutableError;

/// Verifies an absolute path or searches `PATH` for a bare name.
pub fn find(name: &str, environment: &Environment) -> Result<PathBuf, ExecutableError> {
    let path = Path::new(name);
    let found = if name.is_empty() {
        return Err(ExecutableError::Empty);
    } else if path.is_absolute() {
        Some(path.to_owned()).filter(|path| is_executable(path))
    } else if name.contains('/') {
        return Err(ExecutableError::Relative(name.to_owned()));
    } else {
        // Entries that are not absolute depend on the working folder and are passed over.
        let folders = environment.var_os("PATH").unwrap_or(OsStr::new("/usr/local/bin:/usr/bin:/bin"));
        std::env::split_paths(folders)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(|path| is_executable(path))
    };
    found.ok_or_else(|| ExecutableError::NotFound(name.to_owned()))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
