//! What is learned of a run from the events of its session.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_json::JsString;
use dsh_message::{ContentBlock, SessionId};
use dsh_session::SessionEvent;
use dsh_session::catalogue::{AssistantMessage, TurnEnd, TurnEndReason};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::progress;

/// Most texts that wait to be shown; more are left out and counted, so that a terminal that is stopped stops no run.
const MOST_WAITING: usize = 1024;

/// Follows one session.
pub(crate) struct Watch {
    session: SessionId,
    progress: Sender<String>,
    left_out: Arc<AtomicUsize>,
    learned: Mutex<Learned>,
}

/// What is to be shown of a session.
pub(crate) struct Progress {
    pub(crate) texts: Receiver<String>,
    pub(crate) left_out: Arc<AtomicUsize>,
}

/// What counts in the end.
#[derive(Clone, Default)]
pub(crate) struct Learned {
    /// Text of the last reply.
    pub(crate) answer: Option<JsString>,
    /// How the last turn ended.
    pub(crate) reason: Option<TurnEndReason>,
}

impl Watch {
    /// Follows a session, and yields what is to be shown of it.
    pub(crate) fn new(session: SessionId) -> (Self, Progress) {
        let (progress, texts) = channel(MOST_WAITING);
        let left_out = Arc::new(AtomicUsize::new(0));
        let shown = Progress { texts, left_out: Arc::clone(&left_out) };
        (Self { session, progress, left_out, learned: Mutex::default() }, shown)
    }

    /// Takes an event of any session in.
    pub(crate) fn hear(&self, session: &SessionId, event: &SessionEvent) {
        if *session != self.session {
            return;
        }
        if let Some(reply) = event.data::<AssistantMessage>() {
            self.learned().answer = Some(ContentBlock::joined_text(&reply.message.content));
        } else if let Some(end) = event.data::<TurnEnd>() {
            self.learned().reason = Some(end.reason);
        }
        if let Some(text) = progress::text(event)
            && self.progress.try_send(text).is_err()
        {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What it learned so far.
    pub(crate) fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
