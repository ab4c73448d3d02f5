//! An agent's pending input: two lists whose every change is logged before it happens.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use dsh_message::{Message, MessageId};
use dsh_runtime::Dispatcher;
use dsh_session::{AppendError, Session, SessionEvent};

use crate::live::{AgentInboxClaimed, AgentInboxDiscarded, AgentInboxInserted, Claimed, InboxMessage};
use crate::spliced::{InboxOutcome, InboxSpliced};
use crate::{Agent, Target};

/// Why input was not taken.
#[derive(Debug, thiserror::Error)]
pub enum InboxFailure {
    /// A message is pending at most once.
    #[error("message \"{0}\" is already pending")]
    Pending(MessageId),
    /// The log refused the change.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// The recorded changes do not fit each other.
    #[error("event {seq} changes the inbox at a place that it does not have")]
    Replay {
        /// The event.
        seq: u64,
    },
}

/// What a claim takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimFrom {
    /// All input for the next step, then one message that is a turn of its own.
    Turn,
    /// All input for the next step.
    Step,
}

/// The live events that an inbox dispatches.
#[derive(Clone)]
pub struct InboxEvents {
    /// A message was put in.
    pub inserted: Dispatcher<AgentInboxInserted>,
    /// A message was claimed.
    pub claimed: Dispatcher<AgentInboxClaimed>,
    /// A message was dropped.
    pub discarded: Dispatcher<AgentInboxDiscarded>,
}

#[derive(Default)]
struct Lists {
    next_turn: Vec<Arc<Message>>,
    next_step: Vec<Arc<Message>>,
}

impl Lists {
    fn of(&mut self, target: Target) -> &mut Vec<Arc<Message>> {
        match target {
            Target::NextTurn => &mut self.next_turn,
            Target::NextStep => &mut self.next_step,
        }
    }
}

/// Pending input.
pub struct Inbox {
    session: Arc<Session>,
    events: InboxEvents,
    owner: OnceLock<Weak<dyn Agent>>,
    lists: Mutex<Lists>,
}

impl Inbox {
    /// An empty inbox that logs to `session`.
    #[must_use]
    pub fn new(session: Arc<Session>, events: InboxEvents) -> Self {
        Self { session, events, owner: OnceLock::new(), lists: Mutex::default() }
    }

    /// Names the agent that the live events speak of, once.
    pub fn bind(&self, owner: Weak<dyn Agent>) {
        // A second binding is refused by the cell and keeps the first.
        let _ = self.owner.set(owner);
    }

    /// Takes recorded changes in without announcing or logging them.
    ///
    /// # Errors
    /// When a change does not fit those before it.
    pub fn replay(&self, event: &SessionEvent) -> Result<(), InboxFailure> {
        let Some(splice) = event.data::<InboxSpliced>() else { return Ok(()) };
        let mut lists = self.lists();
        let list = lists.of(splice.target);
        let end = splice.start.saturating_add(splice.removed_count);
        if end > list.len() {
            return Err(InboxFailure::Replay { seq: event.seq });
        }
        list.splice(splice.start..end, splice.inserted);
        Ok(())
    }

    /// Whether nothing is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let lists = self.lists();
        lists.next_turn.is_empty() && lists.next_step.is_empty()
    }

    /// What is pending on a list, in order.
    #[must_use]
    pub fn pending(&self, target: Target) -> Vec<Arc<Message>> {
        self.lists().of(target).clone()
    }

    /// Puts a message at the end of a list.
    ///
    /// # Errors
    /// When it is pending already or the log refuses it.
    pub fn append(&self, target: Target, message: Arc<Message>) -> Result<(), InboxFailure> {
        let start = {
            let lists = self.lists();
            if lists.next_turn.iter().chain(&lists.next_step).any(|held| held.id == message.id) {
                return Err(InboxFailure::Pending(message.id.clone()));
            }
            match target {
                Target::NextTurn => lists.next_turn.len(),
                Target::NextStep => lists.next_step.len(),
            }
        };
        self.session.append(&InboxSpliced { target, start, removed_count: 0, inserted: vec![Arc::clone(&message)], outcome: None })?;
        self.lists().of(target).push(Arc::clone(&message));
        self.announce(|agent| self.events.inserted.emit(&InboxMessage { agent, message: Arc::clone(&message) }));
        Ok(())
    }

    /// Takes input out to run it, in the order in which the step receives it.
    ///
    /// # Errors
    /// When the log refuses the change.
    pub fn claim(&self, from: ClaimFrom, turn: u64) -> Result<Vec<Arc<Message>>, InboxFailure> {
        let mut claimed = self.take(Target::NextStep, usize::MAX, None)?;
        if from == ClaimFrom::Turn {
            claimed.extend(self.take(Target::NextTurn, 1, None)?);
        }
        for message in &claimed {
            self.announce(|agent| self.events.claimed.emit(&Claimed { agent, message: Arc::clone(message), turn }));
        }
        Ok(claimed)
    }

    /// Drops everything that is pending.
    ///
    /// # Errors
    /// When the log refuses the change.
    pub fn clear(&self) -> Result<(), InboxFailure> {
        for target in [Target::NextStep, Target::NextTurn] {
            for message in self.take(target, usize::MAX, Some(InboxOutcome::Canceled))? {
                self.announce(|agent| self.events.discarded.emit(&InboxMessage { agent, message: Arc::clone(&message) }));
            }
        }
        Ok(())
    }

    fn take(&self, target: Target, most: usize, outcome: Option<InboxOutcome>) -> Result<Vec<Arc<Message>>, InboxFailure> {
        let count = self.lists().of(target).len().min(most);
        if count == 0 {
            return Ok(Vec::new());
        }
        self.session.append(&InboxSpliced { target, start: 0, removed_count: count, inserted: Vec::new(), outcome })?;
        Ok(self.lists().of(target).drain(..count).collect())
    }

    fn announce(&self, emit: impl FnOnce(Arc<dyn Agent>) -> Result<(), dsh_runtime::ListenerError>) {
        let Some(agent) = self.owner.get().and_then(Weak::upgrade) else { return };
        if let Err(error) = emit(agent) {
            tracing::error!(session = %self.session.header().id, %error, "a runtime check failed on a change of the inbox");
        }
    }

    fn lists(&self) -> MutexGuard<'_, Lists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
