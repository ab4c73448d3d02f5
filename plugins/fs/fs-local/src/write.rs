//! Writing a whole file.

use std::fs::Metadata;
use std::path::Path;

use dsh_fs::{FsError, FsErrorCode, WriteIntent, WriteOperation, WriteRequest, Written};
use dsh_runtime::CancellationToken;

use crate::newline::to_lf;
use crate::publish::{Condition, Publication, already_exists, require_version};
use crate::{fence, metadata, read};

/// Writes the file of a request. The caller holds the file's lock.
pub fn write_text(request: &WriteRequest, basis_max: u64, staging_id: &str, cancel: &CancellationToken) -> Result<Written, FsError> {
    let shown = request.target.display_path.as_path();
    let path = fence::landing(&request.target, &request.scope)?;
    let existing = metadata::at(&path, shown)?;
    if let Some(existing) = &existing {
        metadata::require_regular(existing, shown)?;
    }
    let condition = condition(request.intent.as_ref(), existing.as_ref(), shown)?;
    let before = match &existing {
        Some(existing) if existing.len().max(request.content.len() as u64) < basis_max => basis(&path, basis_max, cancel)?,
        _ => None,
    };
    let publication =
        Publication { path: &path, shown, content: request.content.as_bytes(), replaces: existing.as_ref(), condition, staging_id };
    let version = publication.run(cancel)?;
    let operation = if existing.is_some() { WriteOperation::Update } else { WriteOperation::Create };
    Ok(Written { operation, version, before, after: to_lf(&request.content) })
}

/// Checks an intent against what is there, and says what must still hold at publication.
fn condition<'a>(intent: Option<&'a WriteIntent>, existing: Option<&Metadata>, shown: &Path) -> Result<Condition<'a>, FsError> {
    match (intent, existing) {
        (None, _) => Ok(Condition::None),
        (Some(WriteIntent::CreateIfAbsent), None) => Ok(Condition::Absent),
        (Some(WriteIntent::CreateIfAbsent), Some(_)) => Err(already_exists(shown)),
        (Some(WriteIntent::ReplaceIfVersion(version)), existing) => {
            require_version(existing, version, shown)?;
            Ok(Condition::Unchanged(version))
        }
    }
}

/// The old text for a comparison; a file that is not text has none, and one that cannot be read may still be replaced.
fn basis(path: &Path, basis_max: u64, cancel: &CancellationToken) -> Result<Option<String>, FsError> {
    match read::text(path, path, basis_max, cancel) {
        Ok(text) => Ok(Some(to_lf(&text))),
        Err(error) if error.code() == FsErrorCode::Aborted => Err(error),
        Err(_) => Ok(None),
    }
}
