//! The log of one live session: what of it is written, and what still waits.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_json::JsonError;
use dsh_runtime::IdSource;
use dsh_session::catalogue::AssistantChunk;
use dsh_session::{SessionEvent, SessionHeader};

use crate::encoding::Encoding;
use crate::header::{self, Writer};
use crate::layout::Layout;
use crate::log_file::{LogFile, PendingSync};
use crate::pack::{self, Packing};
use crate::weight::{check_size, weight};
use crate::write_ahead::{self, Ahead};

/// Pieces of a model's stream that wait in memory are written when they have grown to this many bytes. A batch of this size
/// takes well under a millisecond to write.
const MOST_WAITING_BYTES: usize = 256 * 1024;
/// While the log cannot be written, this many bytes of events are held; then the session takes no more. It is room for a few
/// long turns, and 32 sessions on a full disk hold half a GiB together.
const MOST_HELD_BYTES: usize = 16 * 1024 * 1024;
/// What all logs of a store share.
pub(crate) struct Settings {
    pub(crate) layout: Layout,
    pub(crate) packing: Packing,
    pub(crate) encoding: Encoding,
    pub(crate) ids: Arc<dyn IdSource>,
    /// What writes the logs.
    pub(crate) writer: Writer,
}

/// Why a log was not written or flushed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log of session \"{session}\" cannot be written: {reason}")]
pub(crate) struct WriteError {
    session: String,
    reason: String,
}

/// Whether events began to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// The first one does; the window in which it must be written opens.
    Begins,
    /// None does, or the window is open already.
    NoChange,
}

/// The log of one live session.
pub(crate) struct SessionLog {
    settings: Arc<Settings>,
    header: SessionHeader,
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    /// Absent until the first event is written.
    file: Option<LogFile>,
    /// Events that are not in the file, in order.
    waiting: Vec<Arc<SessionEvent>>,
    waiting_bytes: usize,
    next_seq: u64,
    window_open: bool,
    failure: Option<WriteError>,
    ahead: Option<Ahead>,
}

impl SessionLog {
    /// The log of a session whose next event is `next_seq`; `file` is what earlier runs wrote of it.
    pub(crate) fn new(settings: Arc<Settings>, header: SessionHeader, path: PathBuf, file: Option<LogFile>, next_seq: u64) -> Self {
        let state = State { file, waiting: Vec::new(), waiting_bytes: 0, next_seq, window_open: false, failure: None, ahead: None };
        Self { settings, header, path, state: Mutex::new(state) }
    }

    /// Takes the events that a new log begins with. They wait for the first write, so that the log appears with all of them.
    pub(crate) fn begin_with(&self, seed: &[Arc<SessionEvent>]) -> Result<(), WriteError> {
        seed.iter().try_for_each(|event| check_size(event)).map_err(|too_large| self.error(too_large.to_string()))?;
        let mut state = self.state();
        state.waiting_bytes = seed.iter().map(|event| weight(event)).sum();
        state.waiting = seed.to_vec();
        state.next_seq = seed.len() as u64;
        Ok(())
    }

    /// Takes an event. It is in the file when this returns, unless it is a piece of a stream or the write failed; then it waits.
    pub(crate) fn take(&self, event: &Arc<SessionEvent>) -> Waiting {
        let mut state = self.state();
        if event.seq != state.next_seq {
            let reason = format!("event {} follows where event {} belongs", event.seq, state.next_seq);
            state.failed(WriteError { session: self.header.id.to_string(), reason });
            return Waiting::NoChange;
        }
        state.next_seq += 1;
        if state.ahead.take().is_some() {
            return Waiting::NoChange;
        }
        state.waiting_bytes += weight(event);
        state.waiting.push(Arc::clone(event));
        let may_wait = event.is::<AssistantChunk>() && (state.waiting_bytes < MOST_WAITING_BYTES || state.failure.is_some());
        if !may_wait {
            // The failure is kept and reported; a flush repeats it to whoever asks.
            let _ = self.write(&mut state);
            return Waiting::NoChange;
        }
        if std::mem::replace(&mut state.window_open, true) { Waiting::NoChange } else { Waiting::Begins }
    }

    /// Writes what waits.
    pub(crate) fn write_waiting(&self) -> Result<(), WriteError> {
        self.write(&mut self.state())
    }

    /// Writes what waits because its window is over.
    pub(crate) fn end_window(&self) {
        let mut state = self.state();
        state.window_open = false;
        // As in `take`.
        let _ = self.write(&mut state);
    }

    /// Writes what waits and makes all of it durable. The calling thread waits for the disk, but the log stays usable.
    pub(crate) fn flush(&self) -> Result<(), WriteError> {
        let Some(sync) = self.finish()? else { return Ok(()) };
        sync.run().map_err(|(path, error)| self.error(format!("{}: {error}", path.display())))?;
        if let Some(file) = &mut self.state().file {
            file.synced(&sync);
        }
        Ok(())
    }

    /// Writes what waits for the last time. What is to be made durable is handed over and holds the log no longer; nothing when
    /// all of it is.
    pub(crate) fn finish(&self) -> Result<Option<PendingSync>, WriteError> {
        let mut state = self.state();
        self.write(&mut state)?;
        Ok(state.file.as_ref().and_then(LogFile::unsynced))
    }

    /// Whether a flush would find nothing to do.
    pub(crate) fn is_flushed(&self) -> bool {
        let state = self.state();
        state.waiting.is_empty() && state.failure.is_none() && state.file.as_ref().is_none_or(|file| file.unsynced().is_none())
    }

    /// Refuses an event that is too large for a line, any while the log cannot be written and holds as many as it may, and one
    /// that must be on record before it takes effect and cannot be written now.
    pub(crate) fn admit(&self, event: &Arc<SessionEvent>) -> Result<(), WriteError> {
        check_size(event).map_err(|too_large| self.error(too_large.to_string()))?;
        let mut state = self.state();
        if let Some(ahead) = state.ahead {
            // It was written and then refused by somebody else.
            self.take_back(&mut state, ahead)?;
            state.ahead = None;
        }
        match &state.failure {
            Some(failure) if state.waiting_bytes >= MOST_HELD_BYTES => return Err(failure.clone()),
            _ => {}
        }
        if !write_ahead::is_due(event) {
            return Ok(());
        }
        self.write(&mut state)?;
        let before = state.file.as_ref().map(LogFile::length);
        self.append(&mut state.file, std::slice::from_ref(event)).inspect_err(|error| tracing::error!(%error, "an event is refused"))?;
        state.ahead = Some(Ahead { seq: event.seq, before });
        Ok(())
    }

    fn take_back(&self, state: &mut State, ahead: Ahead) -> Result<(), WriteError> {
        let taken = match (ahead.before, &mut state.file) {
            (Some(length), Some(file)) => file.truncate(length),
            (_, file) => {
                *file = None;
                std::fs::remove_file(&self.path).or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })
            }
        };
        taken.map_err(|error| self.error(format!("{}: event {} cannot be taken back: {error}", self.path.display(), ahead.seq)))
    }

    /// Where the file is, or will be.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file, and how much of it is written; none as long as there is none.
    pub(crate) fn written(&self) -> Option<(PathBuf, u64)> {
        self.state().file.as_ref().map(|file| (file.path().to_owned(), file.length()))
    }

    fn write(&self, state: &mut State) -> Result<(), WriteError> {
        if state.waiting.is_empty() {
            return state.failure.clone().map_or(Ok(()), Err);
        }
        let State { file, waiting, .. } = &mut *state;
        match self.append(file, waiting) {
            Ok(()) => {
                state.waiting.clear();
                state.waiting_bytes = 0;
                if state.failure.take().is_some() {
                    tracing::info!(session = %self.header.id, "the session's log is written again");
                }
                Ok(())
            }
            Err(error) => {
                state.failed(error.clone());
                Err(error)
            }
        }
    }

    fn append(&self, file: &mut Option<LogFile>, events: &[Arc<SessionEvent>]) -> Result<(), WriteError> {
        let json = |error: JsonError| self.error(error.to_string());
        let io = |error: std::io::Error| self.error(format!("{}: {error}", self.path.display()));
        let Settings { packing, encoding, writer, .. } = &*self.settings;
        let batch = encoding.encode(pack::lines(events, *packing).map_err(json)?).map_err(io)?;
        if let Some(file) = file {
            return file.append(&batch).map_err(io);
        }
        let header = header::write(&self.header, writer).map_err(json)? + "\n";
        let mut bytes = encoding.encode(header.into_bytes()).map_err(io)?;
        bytes.extend_from_slice(&batch);
        // The last twelve digits of a fresh UUID.
        let temporary: String = self.settings.ids.uuid().rsplit('-').next().unwrap_or_default().to_owned();
        *file = Some(LogFile::create(&self.path, &temporary, &bytes).map_err(io)?);
        Ok(())
    }

    fn error(&self, reason: String) -> WriteError {
        WriteError { session: self.header.id.to_string(), reason }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Keeps a failure and reports it, once for each cause.
    fn failed(&mut self, error: WriteError) {
        if self.failure.as_ref() != Some(&error) {
            tracing::error!(%error, waiting = self.waiting.len(), "events of a session wait in memory");
        }
        self.failure = Some(error);
    }
}
