//! Atomic publication of a file: written aside in a private directory, then put in place in one step.

use std::ffi::OsString;
use std::fs::{DirBuilder, File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use dsh_fs::{FsError, FsErrorCode, Version};
use dsh_runtime::CancellationToken;

use crate::failure::{check_cancelled, from_io};
use crate::metadata;

/// Longest file name on Linux, in bytes (`NAME_MAX`).
const NAME_MAX: usize = 255;

/// What must hold at the moment of publication.
pub enum Condition<'a> {
    /// Nothing.
    None,
    /// Nothing is there yet.
    Absent,
    /// What is there has this version.
    Unchanged(&'a Version),
}

/// A file to put in place.
pub struct Publication<'a> {
    /// Where, without symlinks.
    pub path: &'a Path,
    /// How errors call it.
    pub shown: &'a Path,
    /// Its bytes.
    pub content: &'a [u8],
    /// The file that is there now, whose mode and owner are kept.
    pub replaces: Option<&'a Metadata>,
    /// What must hold.
    pub condition: Condition<'a>,
    /// A name that nothing else uses.
    pub staging_id: &'a str,
}

impl Publication<'_> {
    /// Publishes the file and returns its version. On failure nothing at the path has changed.
    pub fn run(&self, cancel: &CancellationToken) -> Result<Version, FsError> {
        let fail = |error: &io::Error| from_io(error, "write", self.shown);
        let parent = self.path.parent().unwrap_or(Path::new("/"));
        std::fs::create_dir_all(parent).map_err(|error| fail(&error))?;
        let staging = Staging::create(parent, self.path, self.staging_id).map_err(|error| fail(&error))?;
        let staged = staging.file();
        let mut file = File::options().write(true).create_new(true).mode(0o600).open(&staged).map_err(|error| fail(&error))?;
        for chunk in self.content.chunks(1024 * 1024) {
            check_cancelled(cancel)?;
            file.write_all(chunk).map_err(|error| fail(&error))?;
        }
        file.sync_all().map_err(|error| fail(&error))?;
        if let Some(replaced) = self.replaces {
            keep_owner_and_mode(&file, replaced).map_err(|error| fail(&error))?;
        }
        check_cancelled(cancel)?;
        self.commit(&staged)?;
        // Moving and unlinking changes the file's ctime, so its version is final only after the staging is gone.
        drop(staging);
        file.metadata().map(|now| metadata::version(&now)).map_err(|error| fail(&error))
    }

    fn commit(&self, staged: &Path) -> Result<(), FsError> {
        match self.condition {
            Condition::Absent => std::fs::hard_link(staged, self.path).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => already_exists(self.shown),
                _ => FsError::new(FsErrorCode::IoError, format!("cannot create `{}`: {error}", self.shown.display())),
            }),
            Condition::Unchanged(version) => {
                // The content took time to write; look again at the last moment.
                require_version(metadata::at(self.path, self.shown)?.as_ref(), version, self.shown)?;
                self.replace(staged)
            }
            Condition::None => self.replace(staged),
        }
    }

    fn replace(&self, staged: &Path) -> Result<(), FsError> {
        std::fs::rename(staged, self.path).map_err(|error| from_io(&error, "write", self.shown))
    }
}

/// The refusal of a creation where something is.
pub fn already_exists(shown: &Path) -> FsError {
    FsError::new(FsErrorCode::NotObserved, format!("`{}` exists and was not read before", shown.display()))
}

/// Refuses a file that is gone or has another version.
pub fn require_version(current: Option<&Metadata>, expected: &Version, shown: &Path) -> Result<(), FsError> {
    match current {
        Some(current) if metadata::version(current) == *expected => Ok(()),
        Some(_) => Err(FsError::new(FsErrorCode::StaleVersion, format!("`{}` changed since it was read", shown.display()))),
        None => Err(FsError::new(FsErrorCode::StaleVersion, format!("`{}` no longer exists", shown.display()))),
    }
}

/// Gives a fresh file the owner and permission bits of the one that it replaces. Where the owner cannot be kept, the set-id
/// bits are dropped: they would lend another user's rights.
fn keep_owner_and_mode(file: &File, replaced: &Metadata) -> io::Result<()> {
    let fresh = file.metadata()?;
    let same_owner = fresh.uid() == replaced.uid() && fresh.gid() == replaced.gid();
    let kept = same_owner || fchown(file, Some(replaced.uid()), Some(replaced.gid())).is_ok();
    let mode = replaced.mode() & if kept { 0o7777 } else { 0o1777 };
    file.set_permissions(Permissions::from_mode(mode))
}

/// A private directory beside the file, removed when dropped.
struct Staging {
    dir: PathBuf,
}

impl Staging {
    fn create(parent: &Path, path: &Path, id: &str) -> io::Result<Self> {
        let suffix = format!(".{}.{id}.tmpdir", std::process::id());
        let base = path.file_name().unwrap_or_default().as_bytes();
        let room = NAME_MAX.saturating_sub(1 + suffix.len());
        let name = [b".", &base[..base.len().min(room)], suffix.as_bytes()].concat();
        let dir = parent.join(OsString::from_vec(name));
        DirBuilder::new().mode(0o700).create(&dir)?;
        Ok(Self { dir })
    }

    fn file(&self) -> PathBuf {
        self.dir.join("content")
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // The outcome is decided by now; what cannot be removed is left behind.
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}
