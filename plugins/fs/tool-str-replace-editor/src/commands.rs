//! The commands.

use std::path::Path;

use dsh_fs::{FileKind, FsError, FsErrorCode, FsTarget, IntentRequest, Observation, Version, WriteIntent};
use dsh_runtime::BoxFuture;

use crate::access::FileAccess;
use crate::failure::EditorError;
use crate::matching::{Mismatch, replaced};
use crate::view;

impl FileAccess<'_> {
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
            replaced(content, old, new).map_err(|mismatch| match mismatch {
                Mismatch::Absent => {
                    let message = format!("`old_str` does not occur in `{}` as it is written", path.display());
                    EditorError::fs(FsErrorCode::EditNotFound, message)
                }
                Mismatch::Repeated { count, places } => ambiguous(content, count, &places, path),
            })
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
    async fn edit(&self, target: FsTarget, change: impl FnOnce(&str, &Path) -> Result<String, EditorError>) -> Result<String, EditorError> {
        let stat = self.require(&target).await?;
        if stat.kind != FileKind::File {
            let message = format!("`{}` is not a regular file", target.display_path.display());
            return Err(EditorError::fs(FsErrorCode::NotRegularFile, message));
        }
        let mut request = IntentRequest { target: target.clone(), actor: self.actor };
        let guard = self.edit_intent.waterfall(&mut request, &no_edit_intent).await?;
        if guard.is_some_and(|guard| guard != stat.version) {
            let message = format!("`{}` changed since it was read", target.display_path.display());
            return Err(EditorError::fs(FsErrorCode::StaleVersion, message));
        }
        let content = self.read(&target).await?;
        let changed = change(&content, &target.display_path)?;
        self.write(&target, changed, WriteIntent::ReplaceIfVersion(stat.version)).await?;
        Ok(format!("The file {} has been edited successfully.", target.display_path.display()))
    }
}

/// Names the lines at which a text occurs.
fn ambiguous(content: &str, count: usize, places: &[usize], path: &Path) -> EditorError {
    let line = |at: &usize| (content[..*at].matches('\n').count() + 1).to_string();
    let mut lines: Vec<String> = places.iter().map(line).collect();
    if count > places.len() {
        lines.push("…".to_owned());
    }
    let message = format!("`old_str` occurs {count} times in `{}`, at lines {}; make it unique", path.display(), lines.join(", "));
    EditorError::fs(FsErrorCode::AmbiguousEdit, message)
}

fn no_write_intent(_request: &mut IntentRequest) -> BoxFuture<'_, Result<Option<WriteIntent>, FsError>> {
    Box::pin(async { Ok(None) })
}

fn no_edit_intent(_request: &mut IntentRequest) -> BoxFuture<'_, Result<Option<Version>, FsError>> {
    Box::pin(async { Ok(None) })
}
