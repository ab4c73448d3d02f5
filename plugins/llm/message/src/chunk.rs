//! What a model streams.

use dsh_json::{JsString, Json};
use serde::{Deserialize, Deserializer, Serialize};

use crate::tagged::{KindMember, TypeMember, member, object};
use crate::{CallId, ContentBlock, LlmFailure};

/// A piece of a model's stream. Blocks are numbered by `index` and may interleave.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum StreamChunk {
    /// A block begins.
    #[serde(rename_all = "camelCase")]
    BlockStart {
        /// The block.
        index: u64,
        /// `text`, `reasoning`, `tool-call`, …
        block_type: String,
    },
    /// More text.
    TextDelta {
        /// The block.
        index: u64,
        /// What was added.
        text: JsString,
    },
    /// More reasoning.
    ReasoningDelta {
        /// The block.
        index: u64,
        /// What was added.
        text: JsString,
    },
    /// More of a tool call.
    #[serde(rename_all = "camelCase")]
    ToolCallDelta {
        /// The block.
        index: u64,
        /// The call.
        id: CallId,
        /// The tool, when this piece names it.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<JsString>,
        /// What was added to the arguments.
        arguments_delta: JsString,
    },
    /// A block ends; `block` is what counts.
    BlockEnd {
        /// The block.
        index: u64,
        /// The whole block.
        block: ContentBlock,
    },
    /// What the call used; at most one.
    Usage {
        /// Tokens.
        usage: TokenUsage,
    },
    /// The end; exactly one, last.
    #[serde(rename_all = "camelCase")]
    Finish {
        /// Why.
        reason: FinishReason,
        /// What the adapter needs to replay the reply.
        #[serde(skip_serializing_if = "Option::is_none")]
        replay_state: Option<ReplayState>,
    },
}

/// Tokens of a call; the input figures do not overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenUsage {
    /// Input that was not cached.
    pub input_tokens: u64,
    /// Output, reasoning included.
    pub output_tokens: u64,
    /// Input read from the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<u64>,
    /// Input written to the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// The part of the output that is reasoning; for information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
}

/// Why a stream ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FinishReason {
    /// The model had said all.
    Stop,
    /// It waits for its tool calls.
    ToolCalls,
    /// It reached the ceiling of output.
    MaxTokens,
    /// The call failed.
    Error {
        /// Why.
        failure: LlmFailure,
    },
    /// The call was given up.
    Aborted {
        /// Why.
        failure: LlmFailure,
    },
}

/// An adapter's own record of a reply, never interpreted here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayState {
    /// Of the response as a whole.
    pub response: Json,
    /// One for each block of the reply, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<Json>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Start {
    index: u64,
    block_type: String,
}

#[derive(Deserialize)]
struct Words {
    index: u64,
    text: JsString,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Call {
    index: u64,
    id: CallId,
    name: Option<JsString>,
    arguments_delta: JsString,
}

#[derive(Deserialize)]
struct End {
    index: u64,
    block: ContentBlock,
}

#[derive(Deserialize)]
struct Used {
    usage: TokenUsage,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Last {
    reason: FinishReason,
    replay_state: Option<ReplayState>,
}

#[derive(Deserialize)]
struct Failed {
    failure: LlmFailure,
}

impl<'de> Deserialize<'de> for StreamChunk {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = object(deserializer)?;
        Ok(match member::<TypeMember, D::Error>(&raw)?.r#type.as_str() {
            "block-start" => {
                let Start { index, block_type } = member::<_, D::Error>(&raw)?;
                Self::BlockStart { index, block_type }
            }
            "text-delta" => {
                let Words { index, text } = member::<_, D::Error>(&raw)?;
                Self::TextDelta { index, text }
            }
            "reasoning-delta" => {
                let Words { index, text } = member::<_, D::Error>(&raw)?;
                Self::ReasoningDelta { index, text }
            }
            "tool-call-delta" => {
                let Call { index, id, name, arguments_delta } = member::<_, D::Error>(&raw)?;
                Self::ToolCallDelta { index, id, name, arguments_delta }
            }
            "block-end" => {
                let End { index, block } = member::<_, D::Error>(&raw)?;
                Self::BlockEnd { index, block }
            }
            "usage" => Self::Usage { usage: member::<Used, D::Error>(&raw)?.usage },
            "finish" => {
                let Last { reason, replay_state } = member::<_, D::Error>(&raw)?;
                Self::Finish { reason, replay_state }
            }
            other => return Err(serde::de::Error::custom(format!("`{other}` is no type of stream chunk"))),
        })
    }
}

impl<'de> Deserialize<'de> for FinishReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = object(deserializer)?;
        Ok(match member::<KindMember, D::Error>(&raw)?.kind.as_str() {
            "stop" => Self::Stop,
            "tool-calls" => Self::ToolCalls,
            "max-tokens" => Self::MaxTokens,
            "error" => Self::Error { failure: member::<Failed, D::Error>(&raw)?.failure },
            "aborted" => Self::Aborted { failure: member::<Failed, D::Error>(&raw)?.failure },
            other => return Err(serde::de::Error::custom(format!("`{other}` is no finish reason"))),
        })
    }
}
