//! Identity of a file.

use std::path::{Path, PathBuf};

/// What identifies a file to its provider: two names of one file have equal keys. Locally it is the path without symlinks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TargetKey(PathBuf);

impl TargetKey {
    /// A provider's key.
    #[must_use]
    pub fn new(key: PathBuf) -> Self {
        Self(key)
    }

    /// The key as the provider made it.
    #[must_use]
    pub fn as_path(&self) -> &Path {
        &self.0
    }
}

/// A resolved path. That it resolves says nothing about whether the file exists or may be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FsTarget {
    /// Absolute path as it was asked for, symlinks untouched; for texts.
    pub display_path: PathBuf,
    /// Identity.
    pub target_key: TargetKey,
}

/// A path to resolve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolveRequest {
    /// Absolute, or relative to `cwd`.
    pub path: PathBuf,
    /// Base of a relative path; the provider's own when absent.
    pub cwd: Option<PathBuf>,
}
