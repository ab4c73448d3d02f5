//! The lock of a session: whoever holds it is the session's only writer. It is an advisory `flock`, so it dies with its process.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the empty file that carries the lock, beside the log. It stays when the lock is gone.
pub(crate) const LOCK_NAME: &str = "session.lock";
/// How long whoever looks at a lock is waited for before it is tried again.
const LOOK: Duration = Duration::from_millis(1);
/// How often it is tried again. A look takes microseconds, unless whoever looks is held up meanwhile.
const LOOKS: usize = 200;
/// Where the system tells who holds which lock. It gives a page at a time, and a lock may be missed that lies behind others which go between
/// two pages.
const LOCKS: &str = "/proc/locks";
/// How often that is read until it names the holder.
const READINGS: usize = 5;

/// The lock, as long as it is held.
#[derive(Debug)]
pub(crate) struct SessionLock {
    file: File,
}

/// Somebody else holds the lock. It is found inside the [`io::Error`] with the kind [`io::ErrorKind::ResourceBusy`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("another writer{} holds {}", of_process(*holder), path.display())]
pub(crate) struct Held {
    /// The file that carries the lock.
    pub(crate) path: PathBuf,
    /// The process that holds it, where the system tells.
    pub(crate) holder: Option<u32>,
}

fn of_process(holder: Option<u32>) -> String {
    holder.map(|process| format!(" (process {process})")).unwrap_or_default()
}

impl SessionLock {
    /// Takes the lock of the session whose directory this is, without waiting.
    ///
    /// # Errors
    /// [`Held`], or why the file cannot be opened or made.
    pub(crate) fn take(session: &Path) -> io::Result<Self> {
        let path = session.join(LOCK_NAME);
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
        let file = opened.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        #[cfg(feature = "failpoints")]
        dsh_failpoints::reach("lock/made");
        match try_for_a_moment(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = holder(&file);
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, Held { path, holder }));
            }
            // Some network file systems have no locks; a store on them is for one process at a time.
            Err(TryLockError::Error(error)) => {
                tracing::warn!(path = %path.display(), %error, "the session cannot be locked against other writers");
            }
        }
        #[cfg(feature = "failpoints")]
        dsh_failpoints::reach("lock/taken");
        Ok(Self { file })
    }
}

impl SessionLock {
    /// Whether somebody holds the lock of the session whose directory this is. Nothing is made. For the length of this call the lock
    /// is shared where it is free.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub(crate) fn is_held(session: &Path) -> io::Result<bool> {
        let file = match File::open(session.join(LOCK_NAME)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            opened => opened?,
        };
        let looked = file.try_lock_shared();
        // As when it is dropped.
        let _ = file.unlock();
        // Where there are no locks, nobody holds one.
        Ok(matches!(looked, Err(TryLockError::WouldBlock)))
    }
}

/// Takes the lock. Whoever only looks shares it for a moment, which is no reason to refuse; what a writer holds cannot be shared.
fn try_for_a_moment(file: &File) -> Result<(), TryLockError> {
    for _ in 0..LOOKS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => file.try_lock_shared()?,
            taken => return taken,
        }
        file.unlock().map_err(TryLockError::Error)?;
        std::thread::sleep(LOOK);
    }
    file.try_lock()
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        // Closing is not enough: a child process that is just being started holds a copy of the descriptor for a moment.
        let _ = self.file.unlock();
    }
}

/// The process that holds the lock of a file.
fn holder(file: &File) -> Option<u32> {
    let metadata = file.metadata().ok()?;
    let (major, minor) = (rustix::fs::major(metadata.dev()), rustix::fs::minor(metadata.dev()));
    let name = format!("{major:02x}:{minor:02x}:{}", metadata.ino());
    (0..READINGS).find_map(|_| holder_in(&std::fs::read_to_string(LOCKS).ok()?, &name))
}

/// The holder in the system's list. A number that is not positive stands for a process of another name space.
fn holder_in(locks: &str, file: &str) -> Option<u32> {
    locks.lines().find_map(|lock| {
        let fields: Vec<&str> = lock.split_ascii_whitespace().collect();
        match fields[..] {
            [_, "FLOCK", _, "WRITE", process, of, ..] if of == file => process.parse().ok().filter(|process| *process > 0),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::holder_in;

    #[test]
    fn the_holder_is_the_one_of_the_file_and_not_who_waits() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 fe:00:77 0 EOF\n\
                     2: FLOCK  ADVISORY  READ  12 fe:00:77 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 13 fe:00:78 0 EOF\n\
                     4: FLOCK  ADVISORY  WRITE 14 fe:00:77 0 EOF\n\
                     4: -> FLOCK  ADVISORY  WRITE 15 fe:00:77 0 EOF\n\
                     5: FLOCK  ADVISORY  WRITE 0 fe:00:79 0 EOF\n";
        assert_eq!(holder_in(locks, "fe:00:77"), Some(14));
        assert_eq!(holder_in(locks, "fe:00:78"), Some(13));
        assert_eq!(holder_in(locks, "fe:00:79"), None);
        assert_eq!(holder_in(locks, "fe:00:7"), None);
    }
}
