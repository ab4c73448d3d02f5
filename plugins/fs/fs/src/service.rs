//! The service itself.

use dsh_runtime::{CancellationToken, service};

use crate::error::FsError;
use crate::file::{DirEntry, FileStat};
use crate::target::{FsTarget, ResolveRequest};
use crate::write::{EditRequest, Edited, WriteRequest, Written};

/// Longest file, in bytes, whose text is held in memory at once for an edit. Files that people and models edit as text are
/// far smaller; a longer one fails with `FS_TOO_LARGE` instead of exhausting memory.
pub const MAX_TEXT_BYTES: u64 = 64 * 1024 * 1024;

/// One world of files. A cancelled operation fails with `FS_ABORTED`, and then it changed nothing.
#[service(key = "fs")]
pub trait Fs: Send + Sync {
    /// Finds a path's identity; the file need not exist.
    async fn resolve(&self, request: ResolveRequest, cancel: CancellationToken) -> Result<FsTarget, FsError>;

    /// Kind, version and size; `None` when nothing is there.
    async fn stat(&self, target: FsTarget, cancel: CancellationToken) -> Result<Option<FileStat>, FsError>;

    /// The text of a regular file of at most `max_bytes` bytes, without a leading byte order mark.
    async fn read_text(&self, target: FsTarget, max_bytes: u64, cancel: CancellationToken) -> Result<String, FsError>;

    /// The bytes of a regular file of at most `max_bytes` bytes.
    async fn read_bytes(&self, target: FsTarget, max_bytes: u64, cancel: CancellationToken) -> Result<Vec<u8>, FsError>;

    /// Writes a whole file atomically: a reader sees the old or the new content, never a part. Missing parents are created.
    async fn write_text(&self, request: WriteRequest, cancel: CancellationToken) -> Result<Written, FsError>;

    /// Replaces text inside a file, with the same atomicity.
    async fn edit_text(&self, request: EditRequest, cancel: CancellationToken) -> Result<Edited, FsError>;

    /// Direct children of a directory in the order of their names.
    async fn list_dir(&self, target: FsTarget, cancel: CancellationToken) -> Result<Vec<DirEntry>, FsError>;
}
