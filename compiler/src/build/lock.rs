//! One run at a time in a workspace: generated files, scratch workspaces and binaries would be written twice.

use std::fs::{self, File, TryLockError};

use super::BuildError;
use crate::workspace::Workspace;

/// Held while a run writes. The system releases it when the process ends, however it ends.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl RunLock {
    /// Takes the lock, after another run has ended if there is one.
    ///
    /// # Errors
    /// When the lock file cannot be made.
    pub fn take(workspace: &Workspace) -> Result<Self, BuildError> {
        let path = workspace.own().join("run.lock");
        fs::create_dir_all(workspace.own()).map_err(BuildError::io(&path))?;
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(BuildError::io(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                eprintln!("dsh-build: waiting for another run in this workspace");
                file.lock().map_err(BuildError::io(&path))?;
            }
            Err(TryLockError::Error(error)) => return Err(BuildError::Io { path, source: error }),
        }
        Ok(Self { _file: file })
    }
}
