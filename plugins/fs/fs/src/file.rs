//! What is known of a file without its content.

use std::ffi::OsString;

/// State of a file at one moment. Opaque: equal tokens mean that the file was not changed in between.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Version(String);

impl Version {
    /// A provider's token.
    #[must_use]
    pub fn new(token: String) -> Self {
        Self(token)
    }
}

/// What a path leads to, symlinks followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Anything else: a device, a pipe, a socket, a dangling symlink in a listing.
    Other,
}

/// A file's kind and state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStat {
    /// What it is.
    pub kind: FileKind,
    /// Its state.
    pub version: Version,
    /// Size in bytes, where the provider knows it.
    pub size: Option<u64>,
}

/// A direct child of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    /// Name within the directory.
    pub name: OsString,
    /// What it is, symlinks followed.
    pub kind: FileKind,
}
