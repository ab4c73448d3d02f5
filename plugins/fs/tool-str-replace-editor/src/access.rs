//! Files as the commands of one call see them: under the sandbox policy, with what the agent sees on record.

use std::path::Path;

use dsh_fs::{
    FileStat, Fs, FsEditIntent, FsError, FsErrorCode, FsObserved, FsTarget, FsWriteIntent, MAX_TEXT_BYTES, Observation, Observed,
    ResolveRequest, WriteIntent, WriteRequest, WriteScope,
};
use dsh_runtime::{CancellationToken, Dispatcher, ScopeId};
use dsh_sandbox_policy::{Policy, SandboxMode};

use crate::failure::EditorError;

/// What the commands of one call work with.
pub struct FileAccess<'a> {
    pub fs: &'a dyn Fs,
    pub write_intent: &'a Dispatcher<FsWriteIntent>,
    pub edit_intent: &'a Dispatcher<FsEditIntent>,
    pub observed: &'a Dispatcher<FsObserved>,
    /// Scope of the agent that calls.
    pub actor: Option<ScopeId>,
    /// Which files may be changed; all without a policy.
    pub policy: Option<Policy>,
    pub cancel: CancellationToken,
}

impl FileAccess<'_> {
    /// The identity of a path, which must be absolute.
    pub async fn resolve(&self, path: &str, cwd: Option<&str>) -> Result<FsTarget, EditorError> {
        if !path.starts_with('/') {
            let suggested = Path::new(cwd.unwrap_or("/")).join(path);
            let message = format!("`{path}` is not an absolute path; did you mean `{}`?", suggested.display());
            return Err(EditorError::usage(message));
        }
        let request = ResolveRequest { path: path.into(), cwd: None };
        Ok(self.fs.resolve(request, self.cancel.clone()).await?)
    }

    pub async fn stat(&self, target: &FsTarget) -> Result<Option<FileStat>, FsError> {
        self.fs.stat(target.clone(), self.cancel.clone()).await
    }

    /// What is there; a missing target is recorded as such.
    pub async fn require(&self, target: &FsTarget) -> Result<FileStat, EditorError> {
        if let Some(stat) = self.stat(target).await? {
            return Ok(stat);
        }
        self.observe(target, Observation::Absent);
        Err(EditorError::fs(FsErrorCode::NotFound, format!("`{}` does not exist", target.display_path.display())))
    }

    pub async fn read(&self, target: &FsTarget) -> Result<String, FsError> {
        self.fs.read_text(target.clone(), MAX_TEXT_BYTES, self.cancel.clone()).await
    }

    pub async fn write(&self, target: &FsTarget, content: String, intent: WriteIntent) -> Result<(), EditorError> {
        let request = WriteRequest { target: target.clone(), content, intent: Some(intent), scope: self.write_scope() };
        let written = self.fs.write_text(request, self.cancel.clone()).await.map_err(|error| self.marked(error))?;
        self.observe(target, Observation::Present(written.version));
        Ok(())
    }

    fn write_scope(&self) -> WriteScope {
        match &self.policy {
            None => WriteScope::Unconfined,
            Some(policy) => match policy.mode {
                SandboxMode::DangerFullAccess => WriteScope::Unconfined,
                SandboxMode::ReadOnly => WriteScope::ReadOnly,
                SandboxMode::WorkspaceWrite => WriteScope::Roots(policy.workspace_roots()),
            },
        }
    }

    /// A refusal of the sandbox reads the same wherever it comes from, so that models and clients know it.
    fn marked(&self, error: FsError) -> FsError {
        match &self.policy {
            Some(policy) if error.code() == FsErrorCode::SandboxDenied => {
                FsError::new(error.code(), format!("[sandbox: file access denied under {} mode]", policy.mode))
            }
            _ => error,
        }
    }

    pub fn observe(&self, target: &FsTarget, observation: Observation) {
        let observed = Observed { target: target.clone(), observation, actor: self.actor };
        if let Err(error) = self.observed.emit(&observed) {
            // What happened to the file stands.
            tracing::error!(path = %target.display_path.display(), %error, "a runtime check failed after a file operation");
        }
    }
}
