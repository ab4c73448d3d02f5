//! The vocabulary between log, loop and model adapters: messages, content blocks, stream chunks, finish reasons, usage, failures.
//! Field names and order are those of the session log (format 0).

mod block;
mod chunk;
mod failure;
mod ids;
mod message;
mod retry;
mod source;
mod tagged;

pub use block::ContentBlock;
pub use chunk::{FinishReason, ReplayState, StreamChunk, TokenUsage};
pub use failure::LlmFailure;
pub use ids::{CallId, MessageId, SessionId};
pub use message::{Message, Role};
pub use retry::RetryPolicy;
pub use source::{MessageSource, PluginSource, SnapshotSection};
