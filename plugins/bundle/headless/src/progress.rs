//! What is known of the run under way: kept as events come, so that a slow reader of stderr loses words but no fact.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_json::JsString;
use dsh_message::{ContentBlock, SessionId};
use dsh_session::catalogue::{AssistantChunk, AssistantMessage, TurnEnd, TurnEndReason};
use dsh_session::{Appended, SessionEvent};
use tokio::sync::mpsc;

/// Events that wait to be told; when a reader of stderr is slower, later ones are left out.
const WAITING: usize = 256;

#[derive(Default)]
struct Watched {
    session: Option<SessionId>,
    told: Option<mpsc::Sender<Arc<SessionEvent>>>,
    answer: JsString,
    ended: Option<TurnEndReason>,
}

/// The run under way.
#[derive(Default)]
pub(crate) struct Progress {
    watched: Mutex<Watched>,
}

impl Progress {
    /// Begins to watch a session.
    pub(crate) fn watch(&self, session: SessionId) -> mpsc::Receiver<Arc<SessionEvent>> {
        let (told, events) = mpsc::channel(WAITING);
        *self.watched() = Watched { session: Some(session), told: Some(told), ..Watched::default() };
        events
    }

    /// Takes an event in.
    pub(crate) fn hear(&self, appended: &Appended) {
        let mut watched = self.watched();
        if watched.session.as_ref() != Some(&appended.session.header().id) || appended.event.is::<AssistantChunk>() {
            return;
        }
        if let Some(reply) = appended.event.data::<AssistantMessage>() {
            watched.answer = ContentBlock::joined_text(&reply.message.content);
        }
        if let Some(end) = appended.event.data::<TurnEnd>() {
            watched.ended = Some(end.reason);
        }
        if let Some(told) = &watched.told {
            // A full queue means that nobody reads; what is left out is in the log.
            let _ = told.try_send(Arc::clone(&appended.event));
        }
    }

    /// Ends the watch: the text of the last reply and the end of the last turn.
    pub(crate) fn end(&self) -> (JsString, Option<TurnEndReason>) {
        let watched = std::mem::take(&mut *self.watched());
        (watched.answer, watched.ended)
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
