//! Listing a directory two levels deep.

use std::ffi::OsStr;
use std::path::Path;

use dsh_fs::{FileKind, FsError, FsErrorCode, FsTarget, ResolveRequest};

use crate::access::FileAccess;
use crate::view::{self, Row};

/// Number of entries after which a listing gathers no more; far more than any view shows.
const MAX_ROWS: usize = 100_000;

impl FileAccess<'_> {
    /// The directory itself, its visible children and theirs.
    pub async fn list(&self, target: &FsTarget) -> Result<Vec<Row>, FsError> {
        let mut rows: Vec<Row> = vec![(target.display_path.clone(), FileKind::Directory)];
        for (path, kind) in self.children(target).await? {
            if kind == FileKind::Directory && rows.len() < MAX_ROWS {
                rows.extend(self.grandchildren(&path).await?);
            }
            rows.push((path, kind));
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
