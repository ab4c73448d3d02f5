//! The commands, for one call.

use std::ffi::OsStr;
use std::path::Path;

use dsh_fs::{
    FileKind, FileStat, Fs, FsEditIntent, FsError, FsErrorCode, FsObserved, FsTarget, FsWriteIntent, IntentRequest, MAX_TEXT_BYTES,
    Observation, Observed, ResolveRequest, Version, WriteIntent, WriteRequest, WriteScope,
};
use dsh_runtime::{BoxFuture, CancellationToken, Dispatcher, ScopeId};
use dsh_sandbox_policy::{Policy, SandboxMode};

use crate::failure::EditorError;
use crate::view::{self, Row};

/// Most entries that a listing of two levels gathers before it is cut.
const MAX_ROWS: usize = 100_000;

/// What the commands of one call work with.
pub struct Desk<'a> {
    pub fs: &'a dyn Fs,
    pub write_intent: &'a Dispatcher<FsWriteIntent>,
    pub edit_intent: &'a Dispatcher<FsEditIntent>,
    pub observed: &'a Dispatcher<FsObserved>,
    pub actor: Option<ScopeId>,
    /// Which files may be changed; everything without a policy.
    pub policy: Option<Policy>,
    pub cancel: CancellationToken,
}

impl Desk<'_> {
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

    /// `view`
    pub async fn view(&self, target: FsTarget, range: Option<Vec<i64>>) -> Result<String, EditorError> {
        let stat = self.require(&target).await?;
        if stat.kind == FileKind::Directory {
            if range.is_some() {
                return Err(EditorError::usage("`view_range` applies to files, and this is a directory"));
            }
            let rows = self.list(&target).await?;
            return Ok(view::directory(&target.display_path, rows));
        }
        let content = self.read(&target).await?;
        self.observe(&target, Observation::Present(stat.version));
        view::file(&target.display_path, &content, range.as_deref())
    }

    /// `create`
    pub async fn create(&self, target: FsTarget, content: String) -> Result<String, EditorError> {
        if self.stat(&target).await?.is_some() {
            let message = format!("`{}` exists already; `create` makes new files only", target.display_path.display());
            return Err(EditorError::usage(message));
        }
        let mut request = IntentRequest { target: target.clone(), actor: self.actor };
        // Only a refusal matters: nothing is there, so the condition can be no other than that it stays so.
        self.write_intent.waterfall(&mut request, &no_write_intent).await?;
        self.write(&target, content, WriteIntent::CreateIfAbsent).await?;
        Ok(format!("New file created successfully at: {}", target.display_path.display()))
    }

    /// `str_replace`
    pub async fn str_replace(&self, target: FsTarget, old: &str, new: &str) -> Result<String, EditorError> {
        self.edit(target, |content, path| {
            let places: Vec<usize> = content.match_indices(old).map(|(at, _)| at).collect();
            match places.as_slice() {
                [] => Err(EditorError::fs(FsErrorCode::EditNotFound, format!("`old_str` does not occur in `{}` as it is written", path.display()))),
                [_] => Ok(content.replacen(old, new, 1)),
                _ => {
                    let line = |at: &usize| (content[..*at].matches('\n').count() + 1).to_string();
                    let lines = places.iter().map(line).collect::<Vec<_>>().join(", ");
                    let message = format!("`old_str` occurs {} times in `{}`, at lines {lines}; make it unique", places.len(), path.display());
                    Err(EditorError::fs(FsErrorCode::AmbiguousEdit, message))
                }
            }
        })
        .await
    }

    /// `insert`
    pub async fn insert(&self, target: FsTarget, after: i64, new: &str) -> Result<String, EditorError> {
        self.edit(target, |content, _| {
            let mut lines: Vec<&str> = content.split('\n').collect();
            let Some(at) = usize::try_from(after).ok().filter(|at| *at <= lines.len()) else {
                return Err(EditorError::usage(format!("`insert_line` is {after}, but it must be 0 to {}", lines.len())));
            };
            lines.splice(at..at, new.split('\n'));
            Ok(lines.join("\n"))
        })
        .await
    }

    /// Rewrites a file that must be as the policy on edits knows it, and must not change meanwhile.
    async fn edit(
        &self,
        target: FsTarget,
        change: impl FnOnce(&str, &Path) -> Result<String, EditorError>,
    ) -> Result<String, EditorError> {
        let stat = self.require(&target).await?;
        if stat.kind != FileKind::File {
            let message = format!("`{}` is not a regular file", target.display_path.display());
            return Err(EditorError::fs(FsErrorCode::NotRegularFile, message));
        }
        let mut request = IntentRequest { target: target.clone(), actor: self.actor };
        let guard = self.edit_intent.waterfall(&mut request, &no_edit_intent).await?;
        let content = self.read(&target).await?;
        let changed = change(&content, &target.display_path)?;
        // Without a guard it is the version from before the file was read.
        self.write(&target, changed, WriteIntent::ReplaceIfVersion(guard.unwrap_or(stat.version))).await?;
        Ok(format!("The file {} has been edited successfully.", target.display_path.display()))
    }

    async fn stat(&self, target: &FsTarget) -> Result<Option<FileStat>, FsError> {
        self.fs.stat(target.clone(), self.cancel.clone()).await
    }

    /// What is there; a missing target is recorded as such.
    async fn require(&self, target: &FsTarget) -> Result<FileStat, EditorError> {
        if let Some(stat) = self.stat(target).await? {
            return Ok(stat);
        }
        self.observe(target, Observation::Absent);
        Err(EditorError::fs(FsErrorCode::NotFound, format!("`{}` does not exist", target.display_path.display())))
    }

    async fn read(&self, target: &FsTarget) -> Result<String, FsError> {
        self.fs.read_text(target.clone(), MAX_TEXT_BYTES, self.cancel.clone()).await
    }

    async fn write(&self, target: &FsTarget, content: String, intent: WriteIntent) -> Result<(), EditorError> {
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

    fn observe(&self, target: &FsTarget, observation: Observation) {
        let observed = Observed { target: target.clone(), observation, actor: self.actor };
        if let Err(error) = self.observed.emit(&observed) {
            // What happened to the file stands.
            tracing::error!(path = %target.display_path.display(), %error, "a runtime check failed after a file operation");
        }
    }

    /// The directory itself, its visible children and theirs.
    async fn list(&self, target: &FsTarget) -> Result<Vec<Row>, EditorError> {
        let mut rows: Vec<Row> = vec![(target.display_path.clone(), FileKind::Directory)];
        let mut unlisted = self.children(target).await?;
        unlisted.reverse();
        while let Some((path, kind)) = unlisted.pop() {
            rows.push((path.clone(), kind));
            if kind == FileKind::Directory && rows.len() < MAX_ROWS {
                rows.extend(self.grandchildren(&path).await?);
            }
        }
        Ok(rows)
    }

    async fn children(&self, target: &FsTarget) -> Result<Vec<Row>, FsError> {
        let entries = self.fs.list_dir(target.clone(), self.cancel.clone()).await?;
        let visible = entries.into_iter().filter(|entry| view::is_listed(&entry.name.to_string_lossy()));
        Ok(visible.map(|entry| (target.display_path.join(AsRef::<OsStr>::as_ref(&entry.name)), entry.kind)).collect())
    }

    /// Children of a directory within a listing; one that cannot be read has none.
    async fn grandchildren(&self, path: &Path) -> Result<Vec<Row>, FsError> {
        let request = ResolveRequest { path: path.to_owned(), cwd: None };
        let listed = match self.fs.resolve(request, self.cancel.clone()).await {
            Ok(target) => self.children(&target).await,
            Err(error) => Err(error),
        };
        match listed {
            Err(error) if error.code() != FsErrorCode::Aborted => Ok(Vec::new()),
            listed => listed,
        }
    }
}

fn no_write_intent(_request: &mut IntentRequest) -> BoxFuture<'_, Result<Option<WriteIntent>, FsError>> {
    Box::pin(async { Ok(None) })
}

fn no_edit_intent(_request: &mut IntentRequest) -> BoxFuture<'_, Result<Option<Version>, FsError>> {
    Box::pin(async { Ok(None) })
}
