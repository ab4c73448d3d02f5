//! The model-visible list: the events whose messages make the history, in order.

use std::sync::Arc;

use dsh_json::Json;
use dsh_message::Message;

use crate::SessionEvent;
use crate::catalogue::{AssistantMessage, ToolResultRecord, UserMessage};
use crate::event::{EventData, SurfaceOp};

/// Why an event does not fit the model-visible list.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SurfaceError {
    #[error("event {seq} (`{kind}`) is not model-visible, but carries `surfaceOp` or `sourceEventSeqs`")]
    NotSurface { seq: u64, kind: String },
    #[error("event {seq} (`{kind}`) is model-visible, but carries no `surfaceOp`")]
    NoOperation { seq: u64, kind: String },
    #[error("event {seq} replaces {start}..{end}, which is no span of the model-visible list")]
    NoSpan { seq: u64, start: u64, end: u64 },
    #[error("event {seq} cites events that are repeated or not earlier")]
    BadSources { seq: u64 },
    #[error("event {seq} (`{kind}`) cites no events; only a reply may")]
    NoSources { seq: u64, kind: String },
    #[error("event {seq} replaces event {missing} without citing it")]
    Uncited { seq: u64, missing: u64 },
    #[error("event {seq} may replace one tool result only, and nothing of it but its content")]
    BadRewrite { seq: u64 },
}

#[derive(Debug)]
struct Node {
    event: Arc<SessionEvent>,
    message: Option<Arc<Message>>,
}

/// The list. The messages are held apart so that a request takes them without copying.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    nodes: Vec<Node>,
    messages: Arc<Vec<Arc<Message>>>,
    replacements: u64,
}

impl Surface {
    pub(crate) fn is_surface(kind: &str) -> bool {
        kind == UserMessage::TYPE || kind == AssistantMessage::TYPE || kind == ToolResultRecord::TYPE
    }

    pub(crate) fn messages(&self) -> Arc<Vec<Arc<Message>>> {
        Arc::clone(&self.messages)
    }

    pub(crate) fn replacements(&self) -> u64 {
        self.replacements
    }

    pub(crate) fn seqs(&self) -> Vec<u64> {
        self.nodes.iter().map(|node| node.event.seq).collect()
    }

    /// The message of an event on the list, when it has one.
    pub(crate) fn message(&self, seq: u64) -> Option<&Arc<Message>> {
        self.nodes.iter().find(|node| node.event.seq == seq)?.message.as_ref()
    }

    /// Checks that an event fits.
    pub(crate) fn check(&self, event: &SessionEvent) -> Result<(), SurfaceError> {
        let (seq, kind) = (event.seq, event.kind.to_string());
        if !Self::is_surface(&event.kind) {
            let plain = event.surface_op.is_none() && event.source_event_seqs.is_none();
            return if plain { Ok(()) } else { Err(SurfaceError::NotSurface { seq, kind }) };
        }
        let op = event.surface_op.ok_or_else(|| SurfaceError::NoOperation { seq, kind: kind.clone() })?;
        if let Some(sources) = &event.source_event_seqs {
            let mut sorted = sources.clone();
            sorted.sort_unstable();
            sorted.dedup();
            if sorted.len() != sources.len() || sources.iter().any(|&source| source >= seq) {
                return Err(SurfaceError::BadSources { seq });
            }
            if sources.is_empty() && kind != AssistantMessage::TYPE {
                return Err(SurfaceError::NoSources { seq, kind });
            }
        }
        let SurfaceOp::Replace { start, end } = op else { return Ok(()) };
        let span = self.span(start, end).ok_or(SurfaceError::NoSpan { seq, start, end })?;
        let cited = event.source_event_seqs.as_deref().unwrap_or_default();
        if let Some(node) = self.nodes[span.clone()].iter().find(|node| !cited.contains(&node.event.seq)) {
            return Err(SurfaceError::Uncited { seq, missing: node.event.seq });
        }
        if kind == ToolResultRecord::TYPE && !(span.len() == 1 && same_but_content(&self.nodes[span.start].event, event)) {
            return Err(SurfaceError::BadRewrite { seq });
        }
        Ok(())
    }

    fn span(&self, start: u64, end: u64) -> Option<std::ops::Range<usize>> {
        let place = |seq| self.nodes.iter().position(|node| node.event.seq == seq);
        let (first, last) = (place(start)?, place(end)?);
        if first <= last { Some(first..last + 1) } else { None }
    }

    /// Applies an event that [`Surface::check`] accepted.
    pub(crate) fn apply(&mut self, event: &Arc<SessionEvent>, message: Option<Arc<Message>>) {
        match event.surface_op {
            None => {}
            Some(SurfaceOp::Append) => {
                if let Some(message) = &message {
                    Arc::make_mut(&mut self.messages).push(Arc::clone(message));
                }
                self.nodes.push(Node { event: Arc::clone(event), message });
            }
            Some(SurfaceOp::Replace { start, end }) => {
                let Some(span) = self.span(start, end) else { return };
                self.nodes.splice(span, [Node { event: Arc::clone(event), message }]);
                self.messages = Arc::new(self.nodes.iter().filter_map(|node| node.message.clone()).collect());
                self.replacements += 1;
            }
        }
    }
}

/// Whether two tool results differ in nothing but the content of their result block.
fn same_but_content(held: &SessionEvent, new: &SessionEvent) -> bool {
    let without_content = |event: &SessionEvent| {
        let mut data: Json = serde_json::from_str(event.data.get()).ok()?;
        let block = member(&mut data, "message").and_then(|message| member(message, "content")).and_then(|content| match content {
            Json::List(blocks) if blocks.len() == 1 => blocks.first_mut(),
            _ => None,
        })?;
        *member(block, "content")? = Json::Null;
        Some(data)
    };
    held.kind == new.kind && without_content(held).is_some_and(|data| Some(data) == without_content(new))
}

fn member<'a>(json: &'a mut Json, key: &str) -> Option<&'a mut Json> {
    match json {
        Json::Object(entries) => entries.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value),
        _ => None,
    }
}
