//! What people and models say.

use std::sync::Arc;

use dsh_message::{Message, StreamChunk, TokenUsage};
use dsh_runtime::session_event;
use serde::{Deserialize, Serialize};

use crate::SurfaceData;

/// A message of a person or a plugin enters the model-visible list.
#[session_event(name = "user/message", surface)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserMessage(pub Arc<Message>);

impl SurfaceData for UserMessage {
    fn message(&self) -> Option<Arc<Message>> {
        Some(Arc::clone(&self.0))
    }
}

/// A piece of a model's stream, failed attempts included.
#[session_event(name = "assistant/chunk")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssistantChunk {
    /// The turn.
    pub turn: u64,
    /// The step.
    pub step: u64,
    /// The piece.
    pub chunk: StreamChunk,
}

/// A model's reply, made of the chunks that it cites.
#[session_event(name = "assistant/message", surface)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// The turn.
    pub turn: u64,
    /// The step.
    pub step: u64,
    /// The reply.
    pub message: Arc<Message>,
    /// Whether it is only what was visible of a cancelled reply.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// What the call used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
}

impl SurfaceData for AssistantMessage {
    fn message(&self) -> Option<Arc<Message>> {
        if self.message.content.is_empty() { None } else { Some(Arc::clone(&self.message)) }
    }
}
