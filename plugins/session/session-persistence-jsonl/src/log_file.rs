//! The file of a log, open for appending. Whoever holds one is its only writer: the file is locked as long as it is open.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::layout::LOG_NAME;

/// Bytes that are read at once when the last line is looked for.
const TAIL_BLOCK: u64 = 64 * 1024;

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
    /// Also when a log is there already.
    pub(crate) fn create(path: &Path, temporary: &str, bytes: &[u8]) -> io::Result<Self> {
        let session = path.parent().ok_or(io::ErrorKind::NotADirectory)?;
        // Each directory that is made is an entry of the one above it; the first that is there already is the last that changes.
        let changed = session.ancestors().position(Path::is_dir).unwrap_or_default() + 1;
        DirBuilder::new().recursive(true).mode(0o700).create(session)?;
        let temporary = session.join(format!("{LOG_NAME}.{temporary}.tmp"));
        let mut file = OpenOptions::new().read(true).append(true).create_new(true).mode(0o600).open(&temporary)?;
        let linked = file.write_all(bytes).and_then(|()| lock(&file, &temporary)).and_then(|()| std::fs::hard_link(&temporary, path));
        // The name under which the log was written is of no use, whether it got its own or not.
        let removed = std::fs::remove_file(&temporary);
        linked?;
        if let Err(error) = removed {
            tracing::warn!(path = %temporary.display(), %error, "a temporary file of the session store stays behind");
        }
        let directories = session.ancestors().take(changed).map(Path::to_owned).collect();
        let length = bytes.len() as u64;
        Ok(Self { file: Arc::new(file), path: path.to_owned(), length, synced: 0, torn: false, unsynced: directories })
    }

    /// Opens a log that is there.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] when somebody else has it open.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        lock(&file, path)?;
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), path: path.to_owned(), length, synced: length, torn: false, unsynced: Vec::new() })
    }

    /// Everything that it holds.
    pub(crate) fn read(&self) -> io::Result<Vec<u8>> {
        self.read_at(0, self.length)
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends whole lines. When that fails the file is as long as before.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.torn {
            self.file.set_len(self.length)?;
            self.torn = false;
        }
        if let Err(error) = (&*self.file).write_all(bytes) {
            self.torn = self.file.set_len(self.length).is_err();
            return Err(error);
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Cuts it.
    pub(crate) fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
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

    /// Header line and last line, both without their ends. The two are one in a log without events.
    ///
    /// # Errors
    /// Also when the file does not end with a whole line.
    pub(crate) fn ends(&self) -> io::Result<(Vec<u8>, Vec<u8>)> {
        let mut tail = Vec::new();
        let mut start = self.length;
        // The last byte is the end of the last line; the one before it is looked for.
        while start > 0 && !tail.iter().rev().skip(1).any(|byte| *byte == b'\n') {
            let next = start.saturating_sub(TAIL_BLOCK.max(tail.len() as u64));
            let mut block = self.read_at(next, start - next)?;
            block.append(&mut tail);
            (tail, start) = (block, next);
        }
        if tail.pop() != Some(b'\n') {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the log does not end with a whole line"));
        }
        let last = tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let last = tail.split_off(last);
        let mut header = Vec::new();
        let mut at = 0;
        while !header.contains(&b'\n') {
            let block = self.read_at(at, TAIL_BLOCK.min(self.length - at))?;
            at += block.len() as u64;
            header.extend(block);
        }
        header.truncate(header.iter().position(|byte| *byte == b'\n').unwrap_or(header.len()));
        Ok((header, last))
    }

    fn read_at(&self, start: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(start))?;
        read_exactly(file, length)
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        // Closing is not enough: a child process that is just being started holds a copy of the descriptor for a moment.
        let _ = self.file.unlock();
    }
}

impl PendingSync {
    /// Carries it out. The calling thread waits for the disk.
    ///
    /// # Errors
    /// The path and the system's words; what was written stays as it is then.
    pub(crate) fn run(&self) -> Result<(), (PathBuf, io::Error)> {
        self.file.sync_data().map_err(|error| (self.path.clone(), error))?;
        for directory in &self.directories {
            File::open(directory).and_then(|directory| directory.sync_all()).map_err(|error| (directory.clone(), error))?;
        }
        Ok(())
    }
}

/// The first `length` bytes of a file.
pub(crate) fn read_prefix(path: &Path, length: u64) -> io::Result<Vec<u8>> {
    read_exactly(&File::open(path)?, length)
}

fn read_exactly(file: &File, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    file.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}

fn lock(file: &File, path: &Path) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::ResourceBusy.into()),
        Err(TryLockError::Error(error)) => {
            // Some network file systems have no locks; a store on them is for one process at a time.
            tracing::warn!(path = %path.display(), %error, "the log cannot be locked against other writers");
            Ok(())
        }
    }
}
