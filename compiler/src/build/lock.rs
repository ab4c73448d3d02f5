//! One run at a time in a workspace: generated files, scratch workspaces and binaries would be written twice.

use super::BuildError;
use crate::lock::Lock;
use crate::workspace::Workspace;

/// Held while a run writes.
#[derive(Debug)]
pub struct RunLock {
    _lock: Lock,
}

impl RunLock {
    /// Name of the lock file in the compiler's own folder.
    pub(crate) const FILE: &str = "run.lock";

    /// Takes the lock, after another run has ended if there is one.
    ///
    /// # Errors
    /// When the lock file cannot be made.
    pub fn take(workspace: &Workspace) -> Result<Self, BuildError> {
        let path = workspace.own().join(Self::FILE);
        Lock::take(&path).map(|lock| Self { _lock: lock }).map_err(BuildError::io(&path))
    }
}
