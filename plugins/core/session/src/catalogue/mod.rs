//! The session events that every agent writes, with their data. Other events are declared by the plugins that own them.

mod message;
mod request;
mod step;
mod tool;
mod turn;

pub use message::{AssistantChunk, AssistantMessage, UserMessage};
pub use request::{HeaderReason, RequestContext, RequestHeader};
pub use step::{StepEnd, StepStart};
pub use tool::{ToolCallRecord, ToolFailure, ToolResultRecord};
pub use turn::{AbortCause, EndSeed, TurnEnd, TurnEndReason, TurnStart};
