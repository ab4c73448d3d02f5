//! A stored log as a session begins with it, folded while it is read.

use std::sync::Arc;

use dsh_message::Message;

use crate::catalogue::AssistantChunk;
use crate::state::LogState;
use crate::{SeedError, SessionEvent};

/// The events that a session begins with, taken in one by one and checked as they come. A seed holds what the session needs of
/// them and what listeners of its creation fold; the pieces of streams, which are most of a log, are not among that.
#[derive(Debug, Default)]
pub struct Seed {
    pub(crate) state: LogState,
    events: Vec<Arc<SessionEvent>>,
}

impl Seed {
    /// The seed of an empty log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next event in and keeps it, unless it is a piece of a stream.
    ///
    /// # Errors
    /// When it does not follow the events before it; the seed is of no use then.
    pub fn push(&mut self, event: SessionEvent) -> Result<(), SeedError> {
        if event.is::<AssistantChunk>() { self.pass(event) } else { self.keep(event) }
    }

    /// Takes the next event in without keeping it for listeners. A seed that only passed events on tells whether they are a log.
    ///
    /// # Errors
    /// As for [`Seed::push`].
    pub fn pass(&mut self, event: SessionEvent) -> Result<(), SeedError> {
        self.state.replay(&Arc::new(event))
    }

    fn keep(&mut self, event: SessionEvent) -> Result<(), SeedError> {
        let event = Arc::new(event);
        self.state.replay(&event)?;
        self.events.push(event);
        Ok(())
    }

    /// A seed that holds every event; for events that were in memory anyway.
    pub(crate) fn of_all(events: Vec<SessionEvent>) -> Result<Self, SeedError> {
        let mut seed = Self::new();
        events.into_iter().try_for_each(|event| seed.keep(event))?;
        Ok(seed)
    }

    /// How many events were taken in; the number of the next one.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.state.length
    }

    /// The message of an event that is on the model-visible list now.
    #[must_use]
    pub fn message(&self, seq: u64) -> Option<&Arc<Message>> {
        self.state.surface.message(seq)
    }

    /// The messages that the log derives so far, as a model would be sent them.
    #[must_use]
    pub fn messages(&self) -> Arc<Vec<Arc<Message>>> {
        self.state.surface.messages()
    }

    pub(crate) fn into_parts(self) -> (LogState, Vec<Arc<SessionEvent>>) {
        (self.state, self.events)
    }
}
