//! The file of a log, open for appending. Whoever holds one is its only writer: it comes with the session's lock.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::session_lock::SessionLock;

/// A log's file.
#[derive(Debug)]
pub(crate) struct LogFile {
    file: Arc<File>,
    path: PathBuf,
    /// Length of what was written whole.
    length: u64,
    /// Length of what is known to be on the disk.
    synced: u64,
    /// Whether the file may be longer than `length`, because a failed write could not be undone.
    torn: bool,
    /// Directories that have a new entry which may not be on the disk.
    unsynced: Vec<PathBuf>,
    _lock: SessionLock,
}

/// What is to be made durable, taken while the log is locked and carried out while it is not.
pub(crate) struct PendingSync {
    file: Arc<File>,
    path: PathBuf,
    length: u64,
    directories: Vec<PathBuf>,
}

impl LogFile {
    /// Makes a log with its first bytes: it appears under its name with all of them, or not at all.
    ///
    /// # Errors
    /// Also when a log is there already, or another writer holds the session's lock.
    pub(crate) fn create(path: &Path, temporary: &str, bytes: &[u8]) -> io::Result<Self> {
        let session = session(path)?;
        // Each directory that is made is an entry of the one above it; the first that is there already is the last that changes.
        let changed = session.ancestors().position(Path::is_dir).unwrap_or_default() + 1;
        DirBuilder::new().recursive(true).mode(0o700).create(session)?;
        let lock = SessionLock::take(session)?;
        remove_leftovers(path);
        let temporary = path.with_added_extension(temporary).with_added_extension("tmp");
        let mut file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(&temporary)?;
        #[cfg(feature = "failpoints")]
        dsh_failpoints::tear("log/first", bytes, &mut file);
        let linked = file.write_all(bytes).and_then(|()| link(&temporary, path));
        // The name under which the log was written is of no use, whether it got its own or not.
        let removed = std::fs::remove_file(&temporary);
        linked?;
        #[cfg(feature = "failpoints")]
        dsh_failpoints::reach("log/made");
        if let Err(error) = removed {
            tracing::warn!(path = %temporary.display(), %error, "a temporary file of the session store stays behind");
        }
        let unsynced = session.ancestors().take(changed).map(Path::to_owned).collect();
        let length = bytes.len() as u64;
        Ok(Self { file: Arc::new(file), path: path.to_owned(), length, synced: 0, torn: false, unsynced, _lock: lock })
    }

    /// Opens a log that is there.
    ///
    /// # Errors
    /// Also when another writer holds the session's lock.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let lock = SessionLock::take(session(path)?)?;
        let file = OpenOptions::new().append(true).open(path)?;
        remove_leftovers(path);
        let length = file.metadata()?.len();
        let unsynced = Vec::new();
        Ok(Self { file: Arc::new(file), path: path.to_owned(), length, synced: length, torn: false, unsynced, _lock: lock })
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file is as long as it was left.
    pub(crate) fn is_unchanged(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() == self.length)
    }

    /// Appends whole records. When that fails the file is as long as before.
    ///
    /// # Errors
    /// Also when the file has no name any more: what is written then is gone when its writer is.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.file.metadata()?.nlink() == 0 {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the log was removed while its session was live"));
        }
        if self.torn {
            self.file.set_len(self.length)?;
            self.torn = false;
        }
        #[cfg(feature = "failpoints")]
        dsh_failpoints::tear("log/append", bytes, &*self.file);
        if let Err(error) = (&*self.file).write_all(bytes) {
            self.torn = self.file.set_len(self.length).is_err();
            return Err(error);
        }
        #[cfg(feature = "failpoints")]
        dsh_failpoints::reach("log/appended");
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Cuts it.
    pub(crate) fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        #[cfg(feature = "failpoints")]
        dsh_failpoints::reach("log/cut");
        (self.length, self.synced) = (length, 0);
        Ok(())
    }

    /// What a flush has to do; nothing when all of it is on the disk.
    pub(crate) fn unsynced(&self) -> Option<PendingSync> {
        if self.synced == self.length && self.unsynced.is_empty() {
            return None;
        }
        let (file, path) = (Arc::clone(&self.file), self.path.clone());
        Some(PendingSync { file, path, length: self.length, directories: self.unsynced.clone() })
    }

    /// Takes note that a flush was carried out.
    pub(crate) fn synced(&mut self, done: &PendingSync) {
        self.synced = self.synced.max(done.length);
        self.unsynced.clear();
    }
}

impl PendingSync {
    /// Carries it out. The calling thread waits for the disk.
    ///
    /// # Errors
    /// The path and the system's words; what was written stays as it is then.
    pub(crate) fn run(&self) -> Result<(), (PathBuf, io::Error)> {
        self.file.sync_data().map_err(|error| (self.path.clone(), error))?;
        #[cfg(feature = "failpoints")]
        dsh_failpoints::reach("log/synced");
        for directory in &self.directories {
            File::open(directory).and_then(|directory| directory.sync_all()).map_err(|error| (directory.clone(), error))?;
        }
        Ok(())
    }
}

/// Gives a log that was written whole its name.
fn link(temporary: &Path, path: &Path) -> io::Result<()> {
    #[cfg(feature = "failpoints")]
    dsh_failpoints::reach("log/written");
    std::fs::hard_link(temporary, path)?;
    #[cfg(feature = "failpoints")]
    dsh_failpoints::reach("log/linked");
    Ok(())
}

/// Removes the temporary files of writers that were killed while they made this log. Whoever holds the lock is the only writer, so
/// they are nobody's.
fn remove_leftovers(path: &Path) {
    let (Some(session), Some(log)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else { return };
    for entry in std::fs::read_dir(session).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let made = name.to_str().and_then(|name| name.strip_prefix(log)?.strip_prefix('.')?.strip_suffix(".tmp"));
        if made.is_some_and(|digits| digits.len() == 12 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            && let Err(error) = std::fs::remove_file(entry.path())
        {
            tracing::warn!(path = %entry.path().display(), %error, "a temporary file of the session store stays behind");
        }
    }
}

/// The directory of the session whose log this is.
fn session(path: &Path) -> io::Result<&Path> {
    path.parent().ok_or_else(|| io::ErrorKind::NotADirectory.into())
}
