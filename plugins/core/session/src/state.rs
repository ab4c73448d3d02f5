//! What a session keeps in memory of its log: the model-visible list and a few facts in force, not the events themselves.

use std::sync::Arc;

use dsh_message::Message;

use crate::catalogue::{
    AssistantMessage, EndSeed, RequestContext, RequestHeader, StepEnd, StepStart, ToolResultRecord, TurnEnd, TurnStart, UserMessage,
};
use crate::event::SurfaceData;
use crate::surface::{Surface, SurfaceError};
use crate::{EpochHeader, EventData, SessionEvent};

/// A step that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenStep {
    /// The turn.
    pub turn: u64,
    /// The step.
    pub step: u64,
}

/// Why stored events are no log.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SeedError {
    #[error("event {found} stands where event {expected} belongs")]
    Gap { expected: u64, found: u64 },
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    #[error("event {seq} (`{kind}`) has data of another form: {reason}")]
    Data { seq: u64, kind: String, reason: String },
}

/// The fold of a log.
#[derive(Debug, Default)]
pub(crate) struct LogState {
    pub(crate) length: u64,
    pub(crate) surface: Surface,
    pub(crate) last_turn: u64,
    pub(crate) open_turn: Option<u64>,
    pub(crate) open_step: Option<OpenStep>,
    pub(crate) header: Option<EpochHeader>,
    pub(crate) context: Option<RequestContext>,
    pub(crate) ends_with_seed_mark: bool,
}

impl LogState {
    /// Takes a stored event in.
    pub(crate) fn replay(&mut self, event: &Arc<SessionEvent>) -> Result<(), SeedError> {
        if event.seq != self.length {
            return Err(SeedError::Gap { expected: self.length, found: event.seq });
        }
        self.surface.check(event)?;
        let message = stored_message(event)?;
        self.apply(event, message)
    }

    /// Takes an event in that was checked.
    pub(crate) fn apply(&mut self, event: &Arc<SessionEvent>, message: Option<Arc<Message>>) -> Result<(), SeedError> {
        match &*event.kind {
            TurnStart::TYPE => {
                let TurnStart { turn } = read(event)?;
                (self.last_turn, self.open_turn) = (turn, Some(turn));
            }
            TurnEnd::TYPE => (self.open_turn, self.open_step) = (None, None),
            StepStart::TYPE => {
                let StepStart { turn, step } = read(event)?;
                self.open_step = Some(OpenStep { turn, step });
            }
            StepEnd::TYPE => self.open_step = None,
            RequestHeader::TYPE => self.header = Some(read::<RequestHeader>(event)?.header.canonical()),
            RequestContext::TYPE => self.context = Some(read(event)?),
            _ => {}
        }
        self.surface.apply(event, message);
        self.ends_with_seed_mark = event.is::<EndSeed>();
        self.length += 1;
        Ok(())
    }
}

fn read<T: EventData>(event: &SessionEvent) -> Result<T, SeedError> {
    serde_json::from_str(event.data.get()).map_err(|error| bad_data(event, &error.to_string()))
}

fn bad_data(event: &SessionEvent, reason: &str) -> SeedError {
    SeedError::Data { seq: event.seq, kind: event.kind.to_string(), reason: reason.to_owned() }
}

fn stored_message(event: &SessionEvent) -> Result<Option<Arc<Message>>, SeedError> {
    let message = match &*event.kind {
        UserMessage::TYPE => read::<UserMessage>(event)?.message(),
        AssistantMessage::TYPE => read::<AssistantMessage>(event)?.message(),
        ToolResultRecord::TYPE => read::<ToolResultRecord>(event)?.message(),
        _ => None,
    };
    match message.as_ref().map_or(Ok(()), |message| message.validate()) {
        Ok(()) => Ok(message),
        Err(rule) => Err(bad_data(event, rule)),
    }
}
