//! Requests that change a file, and what they yield.

use std::path::PathBuf;

use crate::file::Version;
use crate::target::FsTarget;

/// Condition under which a write may replace what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteIntent {
    /// Only where nothing is.
    CreateIfAbsent,
    /// Only while the file still has this version.
    ReplaceIfVersion(Version),
}

/// Where a mutation may land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteScope {
    /// Anywhere that the operating system allows.
    Unconfined,
    /// Nowhere.
    ReadOnly,
    /// At or under one of these directories. The provider resolves them and the target at the moment of the mutation.
    Roots(Vec<PathBuf>),
}

/// A whole file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRequest {
    /// The file.
    pub target: FsTarget,
    /// New content, stored as it is.
    pub content: String,
    /// Condition; without one the file is created or overwritten.
    pub intent: Option<WriteIntent>,
    /// Where the write may land.
    pub scope: WriteScope,
}

/// What a write did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOperation {
    /// The file is new.
    Create,
    /// The file was there.
    Update,
}

/// A finished write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Whether the file is new.
    pub operation: WriteOperation,
    /// Its version now.
    pub version: Version,
    /// Old text with LF line ends; `None` when there was none, it was not text, or it is too large to compare.
    pub before: Option<String>,
    /// New text with LF line ends.
    pub after: String,
}

/// A literal replacement inside a file. Line ends are matched as LF and written in the file's own style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRequest {
    /// The file.
    pub target: FsTarget,
    /// Text to find, taken literally.
    pub old_text: String,
    /// Text to put in its place, taken literally.
    pub new_text: String,
    /// Replace every occurrence; otherwise there must be exactly one.
    pub replace_all: bool,
    /// Version that the file must still have.
    pub guard: Option<Version>,
    /// Where the write may land.
    pub scope: WriteScope,
}

/// A finished edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// Version of the file now.
    pub version: Version,
    /// Old text with LF line ends.
    pub before: String,
    /// New text with LF line ends.
    pub after: String,
}
