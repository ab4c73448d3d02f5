//! Crash repair: the events that close a log whose writer died in the middle of a turn.

use std::sync::Arc;

use dsh_json::{JsonError, RawValue, to_raw};
use dsh_message::{CallId, ContentBlock};
use dsh_runtime::Timestamp;
use serde::Serialize;

use crate::SessionEvent;
use crate::catalogue::{AssistantMessage, StepEnd, StepStart, ToolCallRecord, ToolResultRecord, TurnEnd, TurnEndReason, TurnStart};
use crate::event::{EventData, SurfaceOp};
use crate::state::OpenStep;

/// What the model is told of a call that was recorded, but whose result was not.
const OUTCOME_UNKNOWN: &str = "This call was recorded before the process stopped, and no result of it was saved, so it may or may not have \
taken effect. Repeat it only if that does no harm (it reads, or doing it twice changes nothing); otherwise check the present state first, \
or ask the user.";
/// What the model is told of a call that never started.
const NOT_STARTED: &str = "The process stopped before this call started, so it had no effect. It may be made again.";

struct Pending {
    call: CallId,
    step: u64,
    recorded: Option<u64>,
}

/// Scans a stored log, event by event, for what its writer left open.
#[derive(Default)]
pub struct Repair {
    next_seq: u64,
    last_time: Option<Timestamp>,
    turn: Option<u64>,
    step: Option<OpenStep>,
    pending: Vec<Pending>,
}

impl Repair {
    /// A scan at the start of a log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next event in.
    pub fn scan(&mut self, event: &SessionEvent) {
        self.next_seq = event.seq + 1;
        self.last_time = Some(event.time);
        match &*event.kind {
            TurnStart::TYPE => {
                self.turn = event.data::<TurnStart>().map(|data| data.turn);
                self.pending.clear();
            }
            TurnEnd::TYPE => {
                (self.turn, self.step) = (None, None);
                self.pending.clear();
            }
            StepStart::TYPE => self.step = event.data::<StepStart>().map(|data| OpenStep { turn: data.turn, step: data.step }),
            StepEnd::TYPE => {
                self.step = None;
                self.pending.clear();
            }
            AssistantMessage::TYPE => self.expect(event),
            ToolCallRecord::TYPE => {
                if let Some(record) = event.data::<ToolCallRecord>()
                    && let Some(pending) = self.pending.iter_mut().find(|pending| pending.call == record.call_id)
                {
                    pending.recorded = Some(event.seq);
                }
            }
            ToolResultRecord::TYPE => {
                if let Some(dsh_message::MessageSource::Tool { call_id }) =
                    event.data::<ToolResultRecord>().map(|data| data.message.source.clone())
                {
                    self.pending.retain(|pending| pending.call != call_id);
                }
            }
            _ => {}
        }
    }

    fn expect(&mut self, event: &SessionEvent) {
        let Some(reply) = event.data::<AssistantMessage>() else { return };
        for block in &reply.message.content {
            if let ContentBlock::ToolCall { id, .. } = block {
                self.pending.push(Pending { call: id.clone(), step: reply.step, recorded: None });
            }
        }
    }

    /// The turn that is open.
    #[must_use]
    pub fn open_turn(&self) -> Option<u64> {
        self.turn
    }

    /// The events that close the log, in order; none when no turn is open.
    ///
    /// # Errors
    /// When a record has no lossless form, which its parts, read from a log, always have.
    pub fn closers(&self) -> Result<Vec<SessionEvent>, JsonError> {
        let (Some(turn), Some(time)) = (self.turn, self.last_time) else { return Ok(Vec::new()) };
        let mut closers = Vec::new();
        let mut seq = self.next_seq;
        let mut close = |kind: &'static str, data: Box<RawValue>, surface_op, sources: Option<Vec<u64>>| {
            let data = Arc::from(data);
            closers.push(SessionEvent { kind: kind.into(), seq, time, data, source_event_seqs: sources, surface_op, ignorable: false });
            seq += 1;
        };
        for (offset, pending) in (0..).zip(&self.pending) {
            let data = to_raw(&interrupted_result(turn, self.next_seq + offset, pending))?;
            close(ToolResultRecord::TYPE, data, Some(SurfaceOp::Append), pending.recorded.map(|seq| vec![seq]));
        }
        if let Some(OpenStep { turn, step }) = self.step {
            close(StepEnd::TYPE, to_raw(&StepEnd { turn, step })?, None, None);
        }
        close(TurnEnd::TYPE, to_raw(&TurnEnd { turn, reason: TurnEndReason::Interrupted })?, None, None);
        Ok(closers)
    }
}

/// The result of a call that has none, with its members in the order that repair writes.
fn interrupted_result(turn: u64, seq: u64, pending: &Pending) -> impl Serialize + '_ {
    #[derive(Serialize)]
    struct Record<'a> {
        turn: u64,
        step: u64,
        message: Message<'a>,
        error: Error,
    }
    #[derive(Serialize)]
    struct Message<'a> {
        id: String,
        role: &'static str,
        source: Source<'a>,
        content: [Block<'a>; 1],
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Source<'a> {
        kind: &'static str,
        call_id: &'a CallId,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Block<'a> {
        r#type: &'static str,
        tool_call_id: &'a CallId,
        is_error: bool,
        content: [ContentBlock; 1],
    }
    #[derive(Serialize)]
    struct Error {
        name: &'static str,
        code: &'static str,
    }
    let (name, code, text) = match pending.recorded {
        Some(_) => ("ToolOutcomeUnknownError", "TOOL_OUTCOME_UNKNOWN", OUTCOME_UNKNOWN),
        None => ("ToolNotStartedError", "TOOL_NOT_STARTED", NOT_STARTED),
    };
    let call = &pending.call;
    let block = Block { r#type: "tool-result", tool_call_id: call, is_error: true, content: [ContentBlock::text(text)] };
    let message = Message {
        id: format!("interrupted-tool-result-{call}-{seq}"),
        role: "user",
        source: Source { kind: "tool", call_id: call },
        content: [block],
    };
    Record { turn, step: pending.step, message, error: Error { name, code } }
}
