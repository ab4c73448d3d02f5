//! Packed rows: a line that stands for a run of deltas.

use std::borrow::Cow;

use dsh_json::RawValue;
use dsh_runtime::Timestamp;
use dsh_session::catalogue::AssistantChunk;
use dsh_session::{EventData, SessionEvent};
use serde::{Deserialize, Deserializer};

/// Largest integer that every reader of the format holds exactly: 2^53 − 1.
const MAX_SAFE: u64 = 9_007_199_254_740_991;

/// What a row's deltas are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// Words.
    Text,
    /// What the model thinks.
    Reasoning,
    /// Arguments of a call.
    ToolCall,
}

impl RowKind {
    const ALL: [Self; 3] = [Self::Text, Self::Reasoning, Self::ToolCall];

    /// The row's `type`; no event has one without a slash.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::Text => "text-chunks",
            Self::Reasoning => "reasoning-chunks",
            Self::ToolCall => "tool-call-chunks",
        }
    }

    fn delta(self) -> &'static str {
        match self {
            Self::Text => "text-delta",
            Self::Reasoning => "reasoning-delta",
            Self::ToolCall => "tool-call-delta",
        }
    }

    /// The kind of rows that hold chunks of a type.
    pub(crate) fn of_delta(kind: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|row| row.delta() == kind)
    }

    /// The kind of the row whose `type` this is.
    pub(crate) fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|row| row.tag() == tag)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row<'a> {
    #[serde(rename = "type", borrow)]
    _type: Cow<'a, str>,
    seq0: u64,
    time0: i64,
    #[serde(borrow)]
    data: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words<'a> {
    turn: u64,
    step: u64,
    index: u64,
    dt: Vec<i64>,
    #[serde(borrow)]
    texts: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments<'a> {
    turn: u64,
    step: u64,
    index: u64,
    dt: Vec<i64>,
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow, default, deserialize_with = "some")]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    args: Vec<&'a RawValue>,
}

/// A member that is there; `null` is a value of it.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// The events that a row stands for.
///
/// # Errors
/// What is wrong with the row.
pub(crate) fn events(kind: RowKind, line: &[u8]) -> Result<Vec<SessionEvent>, String> {
    let words = |error: serde_json::Error| error.to_string();
    let Row { seq0, time0, data, .. } = serde_json::from_slice(line).map_err(words)?;
    let delta = kind.delta();
    let (dt, payloads, before) = if kind == RowKind::ToolCall {
        let Arguments { turn, step, index, dt, id, name, args } = serde_json::from_str(data.get()).map_err(words)?;
        let id = string(id)?;
        let name = match name {
            Some(name) => format!(r#","name":{}"#, string(name)?),
            None => String::new(),
        };
        let chunk = format!(r#"{{"type":"{delta}","index":{index},"id":{id}{name},"argumentsDelta":"#);
        (dt, args, format!(r#"{{"turn":{turn},"step":{step},"chunk":{chunk}"#))
    } else {
        let Words { turn, step, index, dt, texts } = serde_json::from_str(data.get()).map_err(words)?;
        (dt, texts, format!(r#"{{"turn":{turn},"step":{step},"chunk":{{"type":"{delta}","index":{index},"text":"#))
    };
    if payloads.is_empty() || dt.len() + 1 != payloads.len() {
        return Err(format!("the row has {} gaps between {} pieces", dt.len(), payloads.len()));
    }
    let end = seq0.checked_add(payloads.len() as u64).filter(|end| *end <= MAX_SAFE + 1).ok_or("a number of the row is out of range")?;
    let mut time = time0;
    let mut events = Vec::with_capacity(payloads.len());
    for (seq, (payload, gap)) in (seq0..end).zip(payloads.into_iter().zip(std::iter::once(0).chain(dt))) {
        time = time.checked_add(gap).filter(|time| time.unsigned_abs() <= MAX_SAFE).ok_or("a time of the row is out of range")?;
        let data = RawValue::from_string(format!("{before}{}}}}}", string(payload)?)).map_err(words)?;
        events.push(SessionEvent {
            kind: AssistantChunk::TYPE.into(),
            seq,
            time: Timestamp(time),
            data: data.into(),
            source_event_seqs: None,
            surface_op: None,
            ignorable: false,
        });
    }
    Ok(events)
}

/// The text of a JSON string, quotes included.
fn string(raw: &RawValue) -> Result<&str, String> {
    if raw.get().starts_with('"') { Ok(raw.get()) } else { Err("the row holds something else where a string belongs".to_owned()) }
}
