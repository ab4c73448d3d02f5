//! Runtime checks of the order of a log: numbers of turns and steps, what stands inside which, results after their calls.

use std::collections::BTreeSet;

use dsh_message::CallId;
use dsh_runtime::{Dispatcher, PluginContext};
use serde::Deserialize;

use crate::catalogue::{
    AssistantChunk, AssistantMessage, RequestContext, RequestHeader, StepEnd, StepStart, ToolCallRecord, ToolResultRecord, TurnEnd,
    TurnStart,
};
use crate::check_events::check_events;
use crate::event::{EventData, SurfaceOp};
use crate::live::{Appended, SessionCommitting, SessionDisposed};
use crate::state::OpenStep;

/// What a log has open, as far as the checks need it.
#[derive(Default)]
struct Order {
    last_step: u64,
    calls: BTreeSet<CallId>,
}

/// Installs the checks.
pub(crate) fn install(cx: &PluginContext, committing: &Dispatcher<SessionCommitting>, disposed: &Dispatcher<SessionDisposed>) {
    check_events(env!("CARGO_PKG_NAME"), cx, committing, disposed, check);
}

fn check(order: &mut Order, Appended { session, event }: &Appended) -> Result<(), String> {
    let (turn, step) = (session.open_turn(), session.open_step());
    match &*event.kind {
        TurnStart::TYPE => {
            let number = event.data::<TurnStart>().map(|data| data.turn);
            require(turn.is_none(), || format!("a turn starts while turn {} is open", turn.unwrap_or_default()))?;
            require(number == Some(session.last_turn() + 1), || format!("turn {number:?} follows turn {}", session.last_turn()))?;
            order.last_step = 0;
        }
        TurnEnd::TYPE => {
            let number = event.data::<TurnEnd>().map(|data| data.turn);
            require(number.is_some() && number == turn, || format!("turn {number:?} ends, open is {turn:?}"))?;
            require(step.is_none(), || format!("a turn ends while its step {step:?} is open"))?;
        }
        StepStart::TYPE => {
            let place = place(event)?;
            require(Some(place.turn) == turn && step.is_none(), || format!("{place:?} starts in turn {turn:?} with {step:?} open"))?;
            require(place.step == order.last_step + 1, || format!("step {} follows step {}", place.step, order.last_step))?;
            order.last_step = place.step;
            order.calls.clear();
        }
        StepEnd::TYPE | AssistantChunk::TYPE | AssistantMessage::TYPE => inside(step, place(event)?, &event.kind)?,
        ToolCallRecord::TYPE => {
            inside(step, place(event)?, &event.kind)?;
            order.calls.extend(event.data::<ToolCallRecord>().map(|record| record.call_id));
        }
        ToolResultRecord::TYPE if event.surface_op == Some(SurfaceOp::Append) => {
            inside(step, place(event)?, &event.kind)?;
            answered(order, event)?;
        }
        ToolResultRecord::TYPE | RequestHeader::TYPE | RequestContext::TYPE => {
            require(turn.is_some(), || format!("`{}` stands outside a turn", event.kind))?;
        }
        _ => {}
    }
    Ok(())
}

fn answered(order: &Order, event: &crate::SessionEvent) -> Result<(), String> {
    let Some(record) = event.data::<ToolResultRecord>() else { return Err("a tool result has data of another form".to_owned()) };
    let dsh_message::MessageSource::Tool { call_id } = &record.message.source else {
        return Err("a tool result has another source than a tool".to_owned());
    };
    let unstarted = record.error.is_some_and(|error| error.code == "TOOL_NOT_STARTED");
    require(unstarted || order.calls.contains(call_id), || format!("the result of call `{call_id}` has no call in its step"))
}

fn require(holds: bool, rule: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule()) }
}

fn inside(open: Option<OpenStep>, place: OpenStep, kind: &str) -> Result<(), String> {
    require(open == Some(place), || format!("`{kind}` names {place:?}, open is {open:?}"))
}

fn place(event: &crate::SessionEvent) -> Result<OpenStep, String> {
    #[derive(Deserialize)]
    struct Place {
        turn: u64,
        step: u64,
    }
    let read: Result<Place, _> = serde_json::from_str(event.data.get());
    read.map(|Place { turn, step }| OpenStep { turn, step }).map_err(|_| format!("`{}` names no turn and step", event.kind))
}
