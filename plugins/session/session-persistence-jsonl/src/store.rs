//! What is stored: finding it, and the logs of the sessions that are live.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use dsh_message::SessionId;
use dsh_session::{SessionEvent, SessionHeader};
use dsh_session_persistence::PersistenceError;

use crate::layout::Stored;
use crate::listing;
use crate::loading::Claimed;
use crate::log_file::LogFile;
use crate::reading::read;
use crate::refusal::Refusal;
use crate::scan::{End, Keep, Scanner};
use crate::session_lock::Held;
use crate::session_log::{SessionLog, Settings, WriteError};

/// The store. Its functions wait for the disk; the plugin calls those that may take long from a thread of their own.
pub(crate) struct Store {
    pub(crate) settings: Arc<Settings>,
    live: Mutex<BTreeMap<SessionId, Arc<SessionLog>>>,
    /// Logs of sessions that are being taken up.
    claimed: Mutex<BTreeMap<SessionId, Weak<Claimed>>>,
}

/// Why a live session cannot be written here.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("session \"{0}\" already exists")]
    Exists(SessionId),
    #[error("session \"{id}\" begins with {events} events of a log that is not in the store any more")]
    Gone { id: SessionId, events: u64 },
    #[error("session \"{id}\" begins with {events} events, but its log holds {stored}; it was written in the meantime")]
    Length { id: SessionId, events: u64, stored: u64 },
    #[error(transparent)]
    Segment(#[from] crate::layout::SegmentError),
    #[error(transparent)]
    Seed(#[from] WriteError),
    #[error(transparent)]
    Store(#[from] PersistenceError),
}

impl Store {
    pub(crate) fn new(settings: Arc<Settings>) -> Self {
        Self { settings, live: Mutex::default(), claimed: Mutex::default() }
    }

    /// The log of a live session.
    pub(crate) fn live(&self, id: &SessionId) -> Option<Arc<SessionLog>> {
        lock(&self.live).get(id).cloned()
    }

    /// Takes a live session's log out.
    pub(crate) fn close(&self, id: &SessionId) -> Option<Arc<SessionLog>> {
        lock(&self.live).remove(id)
    }

    /// Takes all of them out.
    pub(crate) fn close_all(&self) -> Vec<Arc<SessionLog>> {
        std::mem::take(&mut *lock(&self.live)).into_values().collect()
    }

    /// Opens the log of a session that becomes live with `inherited` events: an earlier run stored them, or `seed` holds them all and
    /// they go into the new log with what is written first. Nothing is written here.
    pub(crate) fn open(&self, header: &SessionHeader, inherited: u64, seed: &[Arc<SessionEvent>]) -> Result<Arc<SessionLog>, OpenError> {
        let id = &header.id;
        let path = self.settings.layout.log(header)?;
        let found = self.find(id)?;
        let file = match found.as_slice() {
            [] if inherited == seed.len() as u64 => None,
            [] => return Err(OpenError::Gone { id: id.clone(), events: inherited }),
            [stored] if stored.compression == self.settings.layout.compression() && stored.path == path => {
                Some(self.take_up(header, stored, inherited)?)
            }
            _ => return Err(OpenError::Exists(id.clone())),
        };
        let first = if file.is_some() { inherited } else { 0 };
        let log = SessionLog::new(Arc::clone(&self.settings), header.clone(), path, file, first);
        if first < inherited {
            log.begin_with(seed)?;
        }
        let log = Arc::new(log);
        lock(&self.live).insert(id.clone(), Arc::clone(&log));
        Ok(log)
    }

    /// Opens what is stored of a session, if it is what the session begins with. A log that was claimed was read just before;
    /// any other is read now.
    fn take_up(&self, header: &SessionHeader, stored: &Stored, inherited: u64) -> Result<LogFile, OpenError> {
        let (id, path) = (&header.id, &stored.path);
        if let Some(file) = self.take_claimed(header, inherited)
            && file.path() == path
            && file.is_unchanged().map_err(|source| io_error(path, source))?
        {
            return Ok(file);
        }
        if inherited == 0 && listing::read(stored).map_err(|refusal| refusal.of(id, path))? != *header {
            return Err(OpenError::Exists(id.clone()));
        }
        let file = open_log(id, path)?;
        let scan = read(path, file.length(), stored.compression, Scanner::new(Keep::Length)).map_err(|refusal| refusal.of(id, path))?;
        if scan.end != (End { stays: file.length(), carried: 0 }) {
            return Err(Refusal::Corrupt("its end is incomplete".to_owned()).of(id, path).into());
        }
        match (scan.header == *header && scan.seed.length() == inherited, inherited) {
            (true, _) => Ok(file),
            (false, 0) => Err(OpenError::Exists(id.clone())),
            (false, events) => Err(OpenError::Length { id: id.clone(), events, stored: scan.seed.length() }),
        }
    }

    /// Keeps a claimed log at hand as long as its claim lives.
    pub(crate) fn claim(&self, claimed: Claimed) -> Arc<Claimed> {
        let claimed = Arc::new(claimed);
        let mut all = lock(&self.claimed);
        all.retain(|_, claimed| claimed.strong_count() > 0);
        all.insert(claimed.header.id.clone(), Arc::downgrade(&claimed));
        claimed
    }

    fn take_claimed(&self, header: &SessionHeader, events: u64) -> Option<LogFile> {
        let claimed = lock(&self.claimed).remove(&header.id)?.upgrade()?;
        if claimed.header == *header && claimed.events == events { lock(&claimed.file).take() } else { None }
    }

    /// Where the log of a stored session is that this store reads.
    pub(crate) fn stored_log(&self, id: &SessionId) -> Result<PathBuf, PersistenceError> {
        match self.find(id)?.as_slice() {
            [] => Err(PersistenceError::NotFound(id.clone())),
            [stored] => match self.settings.layout.foreign(stored) {
                None => Ok(stored.path.clone()),
                Some(reason) => Err(Refusal::Unsupported(reason.to_owned()).of(id, &stored.path)),
            },
            [first, second, ..] => {
                let reason = format!("it is stored twice, also as {}", second.path.display());
                Err(Refusal::Corrupt(reason).of(id, &first.path))
            }
        }
    }

    /// Whether a path is that of the session, or leads to the same file.
    pub(crate) fn is_place_of(&self, header: &SessionHeader, path: &Path) -> bool {
        let Ok(place) = self.settings.layout.log(header) else { return false };
        place == path || matches!((place.canonicalize(), path.canonicalize()), (Ok(place), Ok(path)) if place == path)
    }

    /// Checks that a log is that of the session under whose id it was found.
    pub(crate) fn check_place(&self, id: &SessionId, header: &SessionHeader, path: &Path) -> Result<(), Refusal> {
        if header.id != *id {
            return Err(Refusal::Corrupt(format!("its header names session \"{}\"", header.id)));
        }
        if !self.is_place_of(header, path) {
            return Err(Refusal::Corrupt("its header belongs to another place in the store".to_owned()));
        }
        Ok(())
    }

    /// Headers of all sessions that can be read, by id.
    pub(crate) fn list(&self) -> Result<Vec<SessionHeader>, PersistenceError> {
        let stored = self.settings.layout.all().map_err(|source| io_error(self.settings.layout.root(), source))?;
        Ok(listing::headers(self, &stored))
    }

    /// Whether something is stored under an id.
    pub(crate) fn exists(&self, id: &SessionId) -> Result<bool, PersistenceError> {
        Ok(!self.find(id)?.is_empty())
    }

    /// The file of a session.
    pub(crate) fn locate(&self, id: &SessionId) -> Option<PathBuf> {
        let written = self.live(id).and_then(|log| log.written());
        written.map(|(path, _)| path).or_else(|| self.find(id).ok()?.into_iter().next().map(|stored| stored.path))
    }

    fn find(&self, id: &SessionId) -> Result<Vec<Stored>, PersistenceError> {
        self.settings.layout.find(&id.0).map_err(|source| io_error(self.settings.layout.root(), source))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a log as its only writer.
pub(crate) fn open_log(id: &SessionId, path: &Path) -> Result<LogFile, PersistenceError> {
    LogFile::open(path).map_err(|source| match source.get_ref().and_then(|held| held.downcast_ref::<Held>()) {
        Some(Held { path, holder }) => PersistenceError::InUse { id: id.clone(), path: path.clone(), writer: *holder },
        None => io_error(path, source),
    })
}

pub(crate) fn io_error(path: &Path, source: io::Error) -> PersistenceError {
    PersistenceError::Io { path: path.to_owned(), source }
}
