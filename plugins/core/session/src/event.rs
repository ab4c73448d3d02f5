//! The envelope of a session event.

use std::borrow::Cow;
use std::sync::Arc;

use dsh_json::RawValue;
use dsh_message::Message;
use dsh_runtime::Timestamp;
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The data of one type of session event, declared by `#[session_event]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the data of a session event",
    note = "put `#[session_event(name = \"…\")]` on it"
)]
pub trait EventData: Serialize + DeserializeOwned {
    /// The event's type in the log.
    const TYPE: &'static str;
    /// Whether it takes a position in the model-visible list.
    const SURFACE: bool;
    /// Whether a reader that does not know it may pass over it.
    const IGNORABLE: bool;
}

/// Data of an event that takes a position in the model-visible list.
pub trait SurfaceData: EventData {
    /// The message at that position; none for a reply without content, which keeps its position.
    fn message(&self) -> Option<Arc<Message>>;
}

/// What an event does to the model-visible list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceOp {
    /// It goes to the end.
    Append,
    /// It takes the place of the events from `start` to `end`, both on the list; positions count, not numbers.
    Replace {
        /// Number of the first event replaced.
        start: u64,
        /// Number of the last event replaced.
        end: u64,
    },
}

/// An event as the log holds it.
#[derive(Clone, Debug)]
pub struct SessionEvent {
    /// Type, such as `turn/start`.
    pub kind: Cow<'static, str>,
    /// Its number: exactly its place in the log.
    pub seq: u64,
    /// When it was appended; not monotonic.
    pub time: Timestamp,
    /// Its data as compact JSON.
    pub data: Arc<RawValue>,
    /// Earlier events that it was made of.
    pub source_event_seqs: Option<Vec<u64>>,
    /// What it does to the model-visible list.
    pub surface_op: Option<SurfaceOp>,
    /// Whether a reader that does not know its type may pass over it.
    pub ignorable: bool,
}

impl SessionEvent {
    /// The data as `T`, when the event has that type and its data that form.
    #[must_use]
    pub fn data<T: EventData>(&self) -> Option<T> {
        if self.kind == T::TYPE { serde_json::from_str(self.data.get()).ok() } else { None }
    }

    /// Whether it has the type of `T`.
    #[must_use]
    pub fn is<T: EventData>(&self) -> bool {
        self.kind == T::TYPE
    }
}

impl Serialize for SurfaceOp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Append => serializer.serialize_str("append"),
            Self::Replace { start, end } => {
                let mut out = serializer.serialize_struct("Replace", 3)?;
                out.serialize_field("op", "replace")?;
                out.serialize_field("start", start)?;
                out.serialize_field("end", end)?;
                out.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for SurfaceOp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Replace {
            op: String,
            start: u64,
            end: u64,
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Word(String),
            Span(Replace),
        }
        match Form::deserialize(deserializer)? {
            Form::Word(word) if word == "append" => Ok(Self::Append),
            Form::Span(Replace { op, start, end }) if op == "replace" => Ok(Self::Replace { start, end }),
            _ => Err(D::Error::custom("`surfaceOp` is neither \"append\" nor a replacement")),
        }
    }
}

impl Serialize for SessionEvent {
    /// Members in the order of the live writer.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("SessionEvent", 7)?;
        out.serialize_field("type", &self.kind)?;
        out.serialize_field("seq", &self.seq)?;
        out.serialize_field("time", &self.time)?;
        out.serialize_field("data", &self.data)?;
        if let Some(sources) = &self.source_event_seqs {
            out.serialize_field("sourceEventSeqs", sources)?;
        }
        if let Some(op) = &self.surface_op {
            out.serialize_field("surfaceOp", op)?;
        }
        if self.ignorable {
            out.serialize_field("ignorable", &true)?;
        }
        out.end()
    }
}

impl<'de> Deserialize<'de> for SessionEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Envelope {
            r#type: String,
            seq: u64,
            time: Timestamp,
            data: Box<RawValue>,
            source_event_seqs: Option<Vec<u64>>,
            surface_op: Option<SurfaceOp>,
            ignorable: Option<bool>,
        }
        let read = Envelope::deserialize(deserializer)?;
        if read.ignorable == Some(false) {
            return Err(D::Error::custom("`ignorable` is written only when it is true"));
        }
        Ok(Self {
            kind: read.r#type.into(),
            seq: read.seq,
            time: read.time,
            data: read.data.into(),
            source_event_seqs: read.source_event_seqs,
            surface_op: read.surface_op,
            ignorable: read.ignorable.is_some(),
        })
    }
}
