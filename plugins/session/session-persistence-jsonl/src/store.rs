//! What is stored: finding it, loading it, and the logs of the sessions that are live.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_message::SessionId;
use dsh_session::{Repair, SessionEvent, SessionHeader, validate};
use dsh_session_persistence::{PersistenceError, StoredSession};

use crate::layout::Stored;
use crate::log_file::{LogFile, read_prefix};
use crate::refusal::Refusal;
use crate::scan::{Scan, next_seq, scan};
use crate::session_log::{SessionLog, Settings};
use crate::{closer, listing};

/// The store. Its functions wait for the disk; the plugin calls those that may take long from a thread of their own.
pub(crate) struct Store {
    pub(crate) settings: Arc<Settings>,
    live: Mutex<BTreeMap<SessionId, Arc<SessionLog>>>,
}

/// Why a live session cannot be written here.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("session \"{0}\" already exists")]
    Exists(SessionId),
    #[error(
        "session \"{id}\" begins with {events} events that the store does not have; sessions that inherit events are not stored by this version"
    )]
    Inherited { id: SessionId, events: u64 },
    #[error("session \"{id}\" begins with {events} events, but its log holds {stored}; it was written in the meantime")]
    Length { id: SessionId, events: u64, stored: u64 },
    #[error(transparent)]
    Segment(#[from] crate::layout::SegmentError),
    #[error(transparent)]
    Store(#[from] PersistenceError),
}

impl Store {
    pub(crate) fn new(settings: Arc<Settings>) -> Self {
        Self { settings, live: Mutex::default() }
    }

    /// The log of a live session.
    pub(crate) fn live(&self, id: &SessionId) -> Option<Arc<SessionLog>> {
        self.logs().get(id).cloned()
    }

    /// Takes a live session's log out.
    pub(crate) fn close(&self, id: &SessionId) -> Option<Arc<SessionLog>> {
        self.logs().remove(id)
    }

    /// Takes all of them out.
    pub(crate) fn close_all(&self) -> Vec<Arc<SessionLog>> {
        std::mem::take(&mut *self.logs()).into_values().collect()
    }

    /// Opens the log of a session that becomes live with `inherited` events, which an earlier run stored. Nothing is written.
    pub(crate) fn open(&self, header: &SessionHeader, inherited: u64) -> Result<Arc<SessionLog>, OpenError> {
        let id = &header.id;
        let path = self.settings.layout.log(header)?;
        let found = self.find(id)?;
        let file = match found.as_slice() {
            [] if inherited == 0 => None,
            [] => return Err(OpenError::Inherited { id: id.clone(), events: inherited }),
            [stored] if !stored.compressed && stored.path == path => Some(self.take_up(header, &path, inherited)?),
            _ => return Err(OpenError::Exists(id.clone())),
        };
        let log = Arc::new(SessionLog::new(Arc::clone(&self.settings), header.clone(), path, file, inherited));
        self.logs().insert(id.clone(), Arc::clone(&log));
        Ok(log)
    }

    /// Opens what is stored of a session, if it is what the session begins with.
    fn take_up(&self, header: &SessionHeader, path: &Path, inherited: u64) -> Result<LogFile, OpenError> {
        let id = &header.id;
        let file = open_log(id, path)?;
        let (first, last) = file.ends().map_err(|source| io_error(path, source))?;
        let known = crate::header::read(&first).map_err(|refusal| refusal.of(id, path))?;
        let stored = next_seq(&last).map_err(|reason| Refusal::Corrupt(reason).of(id, path))?;
        match (known == *header && stored == inherited, inherited) {
            (true, _) => Ok(file),
            (false, 0) => Err(OpenError::Exists(id.clone())),
            (false, events) => Err(OpenError::Length { id: id.clone(), events, stored }),
        }
    }

    /// Reads a session and repairs its log.
    pub(crate) fn load(&self, id: &SessionId) -> Result<StoredSession, PersistenceError> {
        if let Some(log) = self.live(id) {
            return load_live(id, &log);
        }
        let path = match self.find(id)?.as_slice() {
            [] => return Err(PersistenceError::NotFound(id.clone())),
            [Stored { path, compressed: false }] => path.clone(),
            [Stored { path, .. }] => return Err(Refusal::Unsupported("the log is compressed".to_owned()).of(id, path)),
            [first, second, ..] => {
                let reason = format!("it is stored twice, also as {}", second.path.display());
                return Err(Refusal::Corrupt(reason).of(id, &first.path));
            }
        };
        let mut file = open_log(id, &path)?;
        let io = |source| io_error(&path, source);
        let read = self.check(id, &path, &file.read().map_err(io)?).map_err(|refusal| refusal.of(id, &path))?;
        repair(&mut file, &read).map_err(io)?;
        let Checked { scan: Scan { header, mut events, .. }, closers } = read;
        events.extend(closers);
        Ok(StoredSession { header, events })
    }

    /// Everything that is checked before the file is touched.
    fn check(&self, id: &SessionId, path: &Path, bytes: &[u8]) -> Result<Checked, Refusal> {
        let scan = scan(bytes)?;
        if scan.header.id != *id {
            return Err(Refusal::Corrupt(format!("its header names session \"{}\"", scan.header.id)));
        }
        if !self.is_place_of(&scan.header, path) {
            return Err(Refusal::Corrupt("its header belongs to another place in the store".to_owned()));
        }
        let mut repair = Repair::new();
        scan.events.iter().for_each(|event| repair.scan(event));
        let closers = repair.closers().map_err(|error| Refusal::Corrupt(error.to_string()))?;
        validate(scan.events.iter().chain(&closers)).map_err(|error| Refusal::Corrupt(error.to_string()))?;
        Ok(Checked { scan, closers })
    }

    /// Whether a path is that of the session, or leads to the same file.
    pub(crate) fn is_place_of(&self, header: &SessionHeader, path: &Path) -> bool {
        let Ok(place) = self.settings.layout.log(header) else { return false };
        place == path || matches!((place.canonicalize(), path.canonicalize()), (Ok(place), Ok(path)) if place == path)
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

    fn logs(&self) -> MutexGuard<'_, BTreeMap<SessionId, Arc<SessionLog>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A log that was found good.
struct Checked {
    scan: Scan,
    closers: Vec<SessionEvent>,
}

/// Cuts an incomplete end off and adds what closes the log, each made durable before the next.
fn repair(file: &mut LogFile, Checked { scan, closers }: &Checked) -> io::Result<()> {
    let sync = |file: &LogFile| file.unsynced().map_or(Ok(()), |sync| sync.run().map_err(|(_, error)| error));
    if (scan.whole as u64) < file.length() {
        file.truncate(scan.whole as u64)?;
        sync(file)?;
    }
    if !closers.is_empty() {
        file.append(&closer::lines(closers).map_err(io::Error::other)?)?;
        sync(file)?;
    }
    Ok(())
}

/// Reads what is written of a live session. It is never repaired: its own writer closes what is open.
fn load_live(id: &SessionId, log: &SessionLog) -> Result<StoredSession, PersistenceError> {
    let Some((path, _)) = log.written() else { return Err(PersistenceError::NotFound(id.clone())) };
    log.write_waiting().map_err(|error| io_error(&path, io::Error::other(error)))?;
    let length = log.written().map_or(0, |(_, length)| length);
    let bytes = read_prefix(&path, length).map_err(|source| io_error(&path, source))?;
    let Scan { header, events, .. } = scan(&bytes).map_err(|refusal| refusal.of(id, &path))?;
    let mut repair = Repair::new();
    events.iter().for_each(|event| repair.scan(event));
    if repair.open_turn().is_some() { Err(PersistenceError::InUse(id.clone())) } else { Ok(StoredSession { header, events }) }
}

fn open_log(id: &SessionId, path: &Path) -> Result<LogFile, PersistenceError> {
    LogFile::open(path).map_err(|source| match source.kind() {
        io::ErrorKind::ResourceBusy => PersistenceError::InUse(id.clone()),
        _ => io_error(path, source),
    })
}

fn io_error(path: &Path, source: io::Error) -> PersistenceError {
    PersistenceError::Io { path: path.to_owned(), source }
}
