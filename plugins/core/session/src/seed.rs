//! A stored log as a session begins with it, folded while it is read.

use std::sync::Arc;

use dsh_message::Message;

use crate::catalogue::AssistantChunk;
use crate::state::LogState;
use crate::{SeedError, SeedFolds, SessionEvent};

/// The events that a session begins with, taken in one by one and checked as they come. A seed holds what the session needs of
/// them and what plugins fold of them; the events themselves are dropped, so a log of any length takes the room of what is in force.
#[derive(Default)]
pub struct Seed {
    pub(crate) state: LogState,
    folds: SeedFolds,
    /// The events themselves, where no store holds them.
    events: Option<Vec<Arc<SessionEvent>>>,
}

impl Seed {
    /// The seed of an empty log, of which nothing is folded for plugins. [`crate::Folding::begin`] makes the others.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn with(folds: SeedFolds) -> Self {
        Self { state: LogState::default(), folds, events: None }
    }

    /// The same, keeping the events for whoever is to store them.
    pub(crate) fn keeping(self) -> Self {
        Self { events: Some(Vec::new()), ..self }
    }

    /// Takes the next event in; the folds of plugins too, unless it is a piece of a stream.
    ///
    /// # Errors
    /// When it does not follow the events before it; the seed is of no use then.
    pub fn push(&mut self, event: SessionEvent) -> Result<(), SeedError> {
        let event = Arc::new(event);
        self.state.replay(&event)?;
        if !event.is::<AssistantChunk>() {
            self.folds.0.iter_mut().for_each(|fold| fold.take(&event));
        }
        if let Some(events) = &mut self.events {
            events.push(event);
        }
        Ok(())
    }

    /// Takes the next event in without the folds of plugins. A seed that only passed events on tells whether they are a log.
    ///
    /// # Errors
    /// As for [`Seed::push`].
    pub fn pass(&mut self, event: SessionEvent) -> Result<(), SeedError> {
        self.state.replay(&Arc::new(event))
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

    pub(crate) fn into_parts(self) -> (LogState, Begun) {
        (self.state, Begun { folds: Arc::new(self.folds), events: self.events.unwrap_or_default() })
    }
}

/// What a session that is not published yet began with.
#[derive(Default)]
pub(crate) struct Begun {
    /// What plugins folded.
    pub(crate) folds: Arc<SeedFolds>,
    /// The events, where no store holds them.
    pub(crate) events: Vec<Arc<SessionEvent>>,
}
