//! From the operating system's errors to the service's.

use std::io;
use std::path::Path;

use dsh_fs::{FsError, FsErrorCode};
use dsh_runtime::CancellationToken;

/// What failed on which path. `doing` continues "cannot", such as `read`.
pub fn from_io(error: &io::Error, doing: &str, path: &Path) -> FsError {
    let code = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => FsErrorCode::NotFound,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => FsErrorCode::PermissionDenied,
        _ => FsErrorCode::IoError,
    };
    FsError::new(code, format!("cannot {doing} `{}`: {error}", path.display()))
}

/// The operation was cancelled before it took effect.
pub fn aborted() -> FsError {
    FsError::new(FsErrorCode::Aborted, "the file operation was cancelled")
}

/// Fails once the token is cancelled.
pub fn check_cancelled(cancel: &CancellationToken) -> Result<(), FsError> {
    if cancel.is_cancelled() { Err(aborted()) } else { Ok(()) }
}
