//! Replacing text inside a file.

use dsh_fs::{EditRequest, Edited, FsError, FsErrorCode, MAX_TEXT_BYTES};
use dsh_runtime::CancellationToken;

use crate::newline::{NewlineStyle, to_lf};
use crate::publish::{Condition, Publication, require_version};
use crate::{fence, metadata, read};

/// Edits the file of a request. The caller holds the file's lock.
pub fn edit_text(request: &EditRequest, staging_id: &str, cancel: &CancellationToken) -> Result<Edited, FsError> {
    let shown = request.target.display_path.as_path();
    let path = fence::landing(&request.target, &request.scope)?;
    if metadata::at(&path, shown)?.is_none() {
        return Err(FsError::new(FsErrorCode::StaleVersion, format!("`{}` does not exist", shown.display())));
    }
    let (file, existing) = read::open(&path, shown)?;
    if let Some(guard) = &request.guard {
        require_version(Some(&existing), guard, shown)?;
    }
    let bytes = read::content(file, existing.len(), MAX_TEXT_BYTES, shown, cancel)?;
    let length = bytes.len();
    let text = read::decode(bytes, length, shown)?;
    let before = to_lf(&text);
    let after = replaced(&before, request)?;
    let version = metadata::version(&existing);
    let content = NewlineStyle::of(&text).apply(&after);
    let publication = Publication {
        path: &path,
        shown,
        content: content.as_bytes(),
        replaces: Some(&existing),
        condition: Condition::Unchanged(&version),
        staging_id,
    };
    let version = publication.run(cancel)?;
    Ok(Edited { version, before, after })
}

fn replaced(before: &str, request: &EditRequest) -> Result<String, FsError> {
    let shown = request.target.display_path.display();
    let (old, new) = (to_lf(&request.old_text), to_lf(&request.new_text));
    let count = if old.is_empty() { 0 } else { before.matches(&old).count() };
    match (count, request.replace_all) {
        (0, _) => Err(FsError::new(FsErrorCode::EditNotFound, format!("the text to replace does not occur in `{shown}`"))),
        (1, _) | (_, true) => Ok(before.replace(&old, &new)),
        (count, false) => Err(FsError::new(FsErrorCode::AmbiguousEdit, format!("the text to replace occurs {count} times in `{shown}`"))),
    }
}
