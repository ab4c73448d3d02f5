//! What the policy answers.

use std::path::PathBuf;

use dsh_message::SessionId;
use dsh_runtime::service;
use dsh_session::Session;

use crate::mode::SandboxMode;

/// Which files may be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// How far effects reach.
    pub mode: SandboxMode,
    /// The workspace; symlinks in it are not resolved.
    pub workspace_root: PathBuf,
    /// The session that it holds for; `None` outside any session.
    pub session_id: Option<SessionId>,
    /// The directory for temporary files that child processes are told of.
    pub temp_dir: PathBuf,
}

impl Policy {
    /// Directories under which files may be changed in the mode `workspace-write`. Whoever enforces them resolves symlinks first.
    #[must_use]
    pub fn workspace_roots(&self) -> Vec<PathBuf> {
        let mut roots = vec![self.workspace_root.clone()];
        for root in [PathBuf::from("/tmp"), self.temp_dir.clone()] {
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        roots
    }
}

/// The one place that knows which files may be changed.
#[service(key = "sandboxPolicy")]
pub trait SandboxPolicy: Send + Sync {
    /// What holds for a session now.
    fn policy_for(&self, session: &Session) -> Policy;
    /// What holds outside any session.
    fn default_policy(&self) -> Policy;
}
