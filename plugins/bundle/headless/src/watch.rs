//! Follows the session of a run: shows what happens, learns what counts, says when the budget is spent.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_message::SessionId;
use dsh_session::SessionEvent;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::budget::Budget;
use crate::learned::Learned;
use crate::{progress, records};

/// Most texts that wait to be shown; more are left out and counted, so that a terminal that is stopped stops no run.
const MOST_WAITING: usize = 1024;

/// What is shown of a run while it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Nothing.
    Nothing,
    /// Steps, for a person.
    Steps,
    /// Records, for a program.
    Records,
}

/// Follows one session.
pub(crate) struct Watch {
    session: SessionId,
    shown: Shown,
    budget: Budget,
    progress: Sender<String>,
    left_out: Arc<AtomicUsize>,
    learned: Mutex<Learned>,
    spent: Mutex<Option<String>>,
}

/// What is to be shown of a session.
pub(crate) struct Progress {
    pub(crate) shown: Shown,
    pub(crate) texts: Receiver<String>,
    pub(crate) left_out: Arc<AtomicUsize>,
}

impl Watch {
    /// Follows a session of which something is known, and yields what is to be shown of it.
    pub(crate) fn new(session: SessionId, shown: Shown, budget: Budget, known: Learned) -> (Self, Progress) {
        let (progress, texts) = channel(MOST_WAITING);
        let left_out = Arc::new(AtomicUsize::new(0));
        let shows = Progress { shown, texts, left_out: Arc::clone(&left_out) };
        (Self { session, shown, budget, progress, left_out, learned: Mutex::new(known), spent: Mutex::default() }, shows)
    }

    /// Whether it follows this session.
    pub(crate) fn follows(&self, session: &SessionId) -> bool {
        *session == self.session
    }

    /// Takes an event of any session in.
    pub(crate) fn hear(&self, session: &SessionId, event: &SessionEvent) {
        if !self.follows(session) {
            return;
        }
        let step_usage = {
            let mut learned = self.learned();
            learned.learn(event);
            learned.step_usage
        };
        let text = match self.shown {
            Shown::Nothing => None,
            Shown::Steps => progress::text(event),
            Shown::Records => records::of_event(event, step_usage.as_ref()),
        };
        if let Some(text) = text {
            self.show(text);
        }
    }

    /// Shows a text.
    pub(crate) fn show(&self, text: String) {
        if self.progress.try_send(text).is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until there is room for what a step shows, where a program counts on all of it. It does not wait once nobody shows it.
    pub(crate) async fn room(&self) {
        if self.shown == Shown::Records {
            let _ = self.progress.reserve_many(MOST_WAITING / 2).await;
        }
    }

    /// Whether no further step may begin, in words; it is remembered.
    pub(crate) fn refusal(&self) -> Option<String> {
        let spent = self.budget.spent(&self.learned())?;
        Some(self.spent.lock().unwrap_or_else(PoisonError::into_inner).insert(spent).clone())
    }

    /// Why a step was refused, if one was.
    pub(crate) fn spent(&self) -> Option<String> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What it learned so far.
    pub(crate) fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
