//! Which recorded call a session is at, and its reply.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use dsh_json::{JsonError, to_text};
use dsh_llm::{AdapterCall, RequestMessages};
use dsh_message::{LlmFailure, SessionId, StreamChunk};
use dsh_session::SessionStore;

use crate::asked::Asked;
use crate::difference::{self, Folders};
use crate::recording::{Exchange, Recording};

/// A recording that is served. Each session goes through it by itself.
pub(crate) struct Replay {
    pub(crate) path: PathBuf,
    pub(crate) recording: Recording,
    /// Working folder of the recorded session.
    pub(crate) folder: Option<String>,
    pub(crate) sessions: Arc<SessionStore>,
    /// Number of the next call of each session that has called.
    next: Mutex<BTreeMap<SessionId, usize>>,
}

impl Replay {
    pub(crate) fn new(path: PathBuf, recording: Recording, folder: Option<String>, sessions: Arc<SessionStore>) -> Self {
        Self { path, recording, folder, sessions, next: Mutex::default() }
    }

    /// Forgets how far a session is.
    pub(crate) fn forget(&self, session: &SessionId) {
        self.next.lock().unwrap_or_else(PoisonError::into_inner).remove(session);
    }

    /// The recorded reply to a call.
    ///
    /// # Errors
    /// When the recording has none, or what was asked then differs.
    pub(crate) fn reply(&self, call: &AdapterCall) -> Result<Vec<Result<StreamChunk, LlmFailure>>, LlmFailure> {
        let Some(session) = self.logged(call) else {
            return Err(self.refusal("REPLAY_UNRECORDED", "it has the calls of an agent's steps, and none beside the conversation"));
        };
        let number = self.number(session, call.request.messages.as_slice().len());
        let Some(exchange) = self.recording.exchanges.get(number) else {
            let held = self.recording.exchanges.len();
            return Err(self.refusal("REPLAY_OVER", &format!("it has {held} calls of the model, and one more is made")));
        };
        let now = self.sessions.get(session).and_then(|session| session.header().cwd.clone());
        let folders = Folders::new(self.folder.as_deref(), now.as_deref());
        let differs = difference::first(&Asked::recorded(exchange), &Asked::now(call), folders.as_ref()).map_err(unreadable)?;
        if let Some(difference) = differs {
            return Err(self.refusal("REPLAY_DIFFERS", &format!("call {} is made otherwise now: {difference}", number + 1)));
        }
        self.advance(session.clone(), number + 1);
        self.chunks(exchange, folders.as_ref()).map_err(unreadable)
    }

    /// The session whose step the call is.
    fn logged<'a>(&self, call: &'a AdapterCall) -> Option<&'a SessionId> {
        match &call.request.messages {
            RequestMessages::Logged(history) if call.request.purpose.is_none() => Some(history.session()),
            _ => None,
        }
    }

    /// Number of the call that a session makes. One that has not called in this process is where the recorded conversation had as many
    /// messages, since it may have been taken up in its middle.
    fn number(&self, session: &SessionId, messages: usize) -> usize {
        let known = self.next.lock().unwrap_or_else(PoisonError::into_inner).get(session).copied();
        let begins = || self.recording.exchanges.iter().position(|exchange| exchange.messages.len() == messages).unwrap_or_default();
        known.unwrap_or_else(begins)
    }

    fn advance(&self, session: SessionId, next: usize) {
        self.next.lock().unwrap_or_else(PoisonError::into_inner).insert(session, next);
    }

    fn chunks(&self, exchange: &Exchange, folders: Option<&Folders>) -> Result<Vec<Result<StreamChunk, LlmFailure>>, JsonError> {
        let moved = |chunk: &StreamChunk| match folders {
            Some(folders) => Ok(serde_json::from_str(&folders.moved(&to_text(chunk)?))?),
            None => Ok(chunk.clone()),
        };
        let mut chunks = exchange.chunks.iter().map(|chunk| moved(chunk).map(Ok)).collect::<Result<Vec<_>, JsonError>>()?;
        if !matches!(exchange.chunks.last(), Some(StreamChunk::Finish { .. })) {
            chunks.push(Err(self.refusal("REPLAY_INTERRUPTED", "the reply was given up at this point")));
        }
        Ok(chunks)
    }

    fn refusal(&self, code: &str, what: &str) -> LlmFailure {
        LlmFailure::new(code, format!("the recording {} cannot serve this call: {what}", self.path.display()))
    }
}

fn unreadable(error: JsonError) -> LlmFailure {
    LlmFailure::new("REPLAY_DIFFERS", format!("the request cannot be compared: {error}"))
}
