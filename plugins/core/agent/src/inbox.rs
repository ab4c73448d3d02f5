//! An agent's pending input: two lists whose every change is logged before it happens.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use dsh_message::Message;
use dsh_runtime::{Dispatcher, ListenerError};
use dsh_session::Session;

use crate::inbox_failure::InboxFailure;
use crate::inbox_fold::InboxFold;
use crate::live::{AgentInboxClaimed, AgentInboxDiscarded, AgentInboxInserted, Claimed, InboxMessage};
use crate::pending::Pending;
use crate::spliced::{InboxOutcome, InboxSpliced};
use crate::{Agent, Target};

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

/// Pending input.
pub struct Inbox {
    session: Arc<Session>,
    events: InboxEvents,
    owner: OnceLock<Weak<dyn Agent>>,
    pending: Mutex<Pending>,
}

impl Inbox {
    /// An empty inbox that logs to `session`.
    #[must_use]
    pub fn new(session: Arc<Session>, events: InboxEvents) -> Self {
        Self { session, events, owner: OnceLock::new(), pending: Mutex::default() }
    }

    /// Names the agent that the live events speak of, once.
    pub fn bind(&self, owner: Weak<dyn Agent>) {
        // A second binding is refused by the cell and keeps the first.
        let _ = self.owner.set(owner);
    }

    /// Takes over what a stored log leaves pending, without announcing or logging anything.
    ///
    /// # Errors
    /// When a change that the log records does not fit those before it.
    pub fn restore(&self, fold: &InboxFold) -> Result<(), InboxFailure> {
        *self.lock() = fold.pending()?;
        Ok(())
    }

    /// Whether nothing is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// What is pending on a list, in order.
    #[must_use]
    pub fn pending(&self, target: Target) -> Vec<Arc<Message>> {
        self.lock().list(target).to_vec()
    }

    /// Puts a message at the end of a list.
    ///
    /// # Errors
    /// When it is pending already or the log refuses it.
    pub fn append(&self, target: Target, message: Arc<Message>) -> Result<(), InboxFailure> {
        let start = self.lock().list(target).len();
        self.change(InboxSpliced { target, start, removed_count: 0, inserted: vec![Arc::clone(&message)], outcome: None })?;
        self.announce(|agent| self.events.inserted.emit(&InboxMessage { agent, message }));
        Ok(())
    }

    /// Takes input out to run it, in the order in which the step receives it.
    ///
    /// # Errors
    /// When the log refuses the change.
    pub fn claim(&self, from: ClaimFrom, turn: u64) -> Result<Vec<Arc<Message>>, InboxFailure> {
        let mut claimed = self.claim_list(Target::NextStep, usize::MAX, turn)?;
        if from == ClaimFrom::Turn {
            claimed.extend(self.claim_list(Target::NextTurn, 1, turn)?);
        }
        Ok(claimed)
    }

    /// One change of a claim: logged, made and announced before the next one.
    fn claim_list(&self, target: Target, most: usize, turn: u64) -> Result<Vec<Arc<Message>>, InboxFailure> {
        let claimed = self.take(target, most, None)?;
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
                self.announce(|agent| self.events.discarded.emit(&InboxMessage { agent, message }));
            }
        }
        Ok(())
    }

    fn take(&self, target: Target, most: usize, outcome: Option<InboxOutcome>) -> Result<Vec<Arc<Message>>, InboxFailure> {
        let removed_count = self.lock().list(target).len().min(most);
        if removed_count == 0 {
            return Ok(Vec::new());
        }
        self.change(InboxSpliced { target, start: 0, removed_count, inserted: Vec::new(), outcome })
    }

    /// Logs a change, then makes it. The log refuses further changes until this one is published, so none comes in between.
    fn change(&self, splice: InboxSpliced) -> Result<Vec<Arc<Message>>, InboxFailure> {
        self.lock().check(&splice)?;
        self.session.append(&splice)?;
        Ok(self.lock().apply(splice))
    }

    fn announce(&self, emit: impl FnOnce(Arc<dyn Agent>) -> Result<(), ListenerError>) {
        let Some(agent) = self.owner.get().and_then(Weak::upgrade) else { return };
        if let Err(error) = emit(agent) {
            tracing::error!(session = %self.session.header().id, %error, "a runtime check failed on a change of the inbox");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
