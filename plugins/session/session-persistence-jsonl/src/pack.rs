//! Events as lines: each on its own, except that a run of at least three deltas of one block becomes one packed row.

use std::borrow::Cow;
use std::sync::Arc;

use dsh_json::{JsonError, RawValue, to_text};
use dsh_session::catalogue::AssistantChunk;
use dsh_session::{EventData, SessionEvent};
use serde::{Deserialize, Serialize};

use crate::row::RowKind;

/// Shortest run that is packed.
const SHORTEST_RUN: usize = 3;

/// Whether runs are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// They are.
    Rows,
    /// Every event stands on its own line.
    Verbatim,
}

/// The lines of a batch, each with its end.
pub(crate) fn lines(events: &[Arc<SessionEvent>], packing: Packing) -> Result<Vec<u8>, JsonError> {
    let mut out = Vec::new();
    let mut rest = events;
    while !rest.is_empty() {
        let run = match packing {
            Packing::Rows => run(rest),
            Packing::Verbatim => Vec::new(),
        };
        let (batch, after) = rest.split_at(run.len().max(1));
        if run.len() >= SHORTEST_RUN {
            push(&mut out, &row(batch, &run))?;
        } else {
            batch.iter().try_for_each(|event| push(&mut out, &**event))?;
        }
        rest = after;
    }
    Ok(out)
}

fn push(out: &mut Vec<u8>, line: &impl Serialize) -> Result<(), JsonError> {
    out.extend_from_slice(to_text(line)?.as_bytes());
    out.push(b'\n');
    Ok(())
}

/// A delta of a block; strings as the event's JSON writes them, so that nothing of them is lost.
struct Delta<'a> {
    kind: RowKind,
    turn: u64,
    step: u64,
    index: u64,
    id: Option<&'a RawValue>,
    name: Option<&'a RawValue>,
    payload: &'a RawValue,
}

impl Delta<'_> {
    fn is_of_the_block_of(&self, other: &Self) -> bool {
        (self.kind, self.turn, self.step, self.index) == (other.kind, other.turn, other.step, other.index)
            && self.id.map(RawValue::get) == other.id.map(RawValue::get)
            && self.name.map(RawValue::get) == other.name.map(RawValue::get)
    }
}

/// The deltas with which `events` begin and that one row can hold.
fn run(events: &[Arc<SessionEvent>]) -> Vec<Delta<'_>> {
    let mut run: Vec<Delta<'_>> = Vec::new();
    let mut previous: Option<&SessionEvent> = None;
    for event in events {
        let Some(delta) = delta(event) else { break };
        if let (Some(first), Some(previous)) = (run.first(), previous)
            && !(delta.is_of_the_block_of(first) && event.seq == previous.seq + 1)
        {
            break;
        }
        run.push(delta);
        previous = Some(event);
    }
    run
}

/// The event as a delta that a row can hold, when it is one.
fn delta(event: &SessionEvent) -> Option<Delta<'_>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Data<'a> {
        turn: u64,
        step: u64,
        #[serde(borrow)]
        chunk: Chunk<'a>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Chunk<'a> {
        #[serde(borrow)]
        r#type: Cow<'a, str>,
        index: u64,
        #[serde(borrow)]
        text: Option<&'a RawValue>,
        #[serde(borrow)]
        id: Option<&'a RawValue>,
        #[serde(borrow)]
        name: Option<&'a RawValue>,
        #[serde(borrow)]
        arguments_delta: Option<&'a RawValue>,
    }
    let plain = event.source_event_seqs.is_none() && event.surface_op.is_none() && !event.ignorable;
    if !(plain && event.kind == AssistantChunk::TYPE) {
        return None;
    }
    let Data { turn, step, chunk } = serde_json::from_str(event.data.get()).ok()?;
    let kind = RowKind::of_delta(&chunk.r#type)?;
    let Chunk { index, text, id, name, arguments_delta, .. } = chunk;
    let payload = match (kind, text, id, name, arguments_delta) {
        (RowKind::ToolCall, None, Some(_), _, Some(payload)) => payload,
        (RowKind::Text | RowKind::Reasoning, Some(payload), None, None, None) => payload,
        _ => return None,
    };
    Some(Delta { kind, turn, step, index, id, name, payload })
}

/// The row that holds the events `batch`, whose deltas are `run`.
fn row<'a>(batch: &[Arc<SessionEvent>], run: &[Delta<'a>]) -> impl Serialize + use<'a> {
    #[derive(Serialize)]
    struct Row<'a> {
        r#type: &'static str,
        seq0: u64,
        time0: i64,
        data: Data<'a>,
    }
    #[derive(Serialize)]
    struct Data<'a> {
        turn: u64,
        step: u64,
        index: u64,
        dt: Vec<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a RawValue>,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a RawValue>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        texts: Vec<&'a RawValue>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        args: Vec<&'a RawValue>,
    }
    let (first, delta) = (&batch[0], &run[0]);
    let payloads = run.iter().map(|delta| delta.payload).collect();
    let (texts, args) = match delta.kind {
        RowKind::ToolCall => (Vec::new(), payloads),
        RowKind::Text | RowKind::Reasoning => (payloads, Vec::new()),
    };
    // Times are milliseconds since 1970 far inside the range of an `i64`, so a difference is too.
    let dt = batch.windows(2).map(|pair| pair[1].time.0 - pair[0].time.0).collect();
    let Delta { turn, step, index, id, name, .. } = *delta;
    Row { r#type: delta.kind.tag(), seq0: first.seq, time0: first.time.0, data: Data { turn, step, index, dt, id, name, texts, args } }
}
