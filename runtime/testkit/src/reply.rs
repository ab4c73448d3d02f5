//! Replies of a scripted model.

use dsh_json::JsString;
use dsh_message::{CallId, ContentBlock, FinishReason, LlmFailure, StreamChunk, TokenUsage};
use serde_json::Value;

/// One reply.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(crate) chunks: Vec<StreamChunk>,
    pub(crate) end: End,
}

/// What follows the chunks of a reply.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// Nothing.
    Closed,
    /// A failure.
    Failure(LlmFailure),
    /// Silence, until the caller gives up.
    Open,
}

impl Reply {
    /// Chunks as they are; they hold their own `finish`.
    #[must_use]
    pub fn chunks(chunks: Vec<StreamChunk>) -> Self {
        Self { chunks, end: End::Closed }
    }

    /// A text, after which the model stops.
    pub fn text(text: impl Into<JsString>) -> Self {
        Self::ended(text_block(0, text.into()), FinishReason::Stop)
    }

    /// A text that reached the ceiling of output.
    pub fn cut_off(text: impl Into<JsString>) -> Self {
        Self::ended(text_block(0, text.into()), FinishReason::MaxTokens)
    }

    /// One tool call, with the id `call_1`.
    #[must_use]
    pub fn tool(name: &str, args: &Value) -> Self {
        Self::tools([(name, args.clone())])
    }

    /// Tool calls, with the ids `call_1`, `call_2`, …
    #[must_use]
    pub fn tools<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let blocks = (0..).zip(calls).flat_map(|(index, (name, args))| call_block(index, name, &args));
        Self::ended(blocks.collect(), FinishReason::ToolCalls)
    }

    /// A failed call.
    #[must_use]
    pub fn failure(failure: LlmFailure) -> Self {
        Self { chunks: Vec::new(), end: End::Failure(failure) }
    }

    /// A text that is never finished: the reply ends when the caller gives up.
    pub fn unfinished(text: impl Into<JsString>) -> Self {
        let mut chunks = text_block(0, text.into());
        chunks.pop();
        Self { chunks, end: End::Open }
    }

    fn ended(mut chunks: Vec<StreamChunk>, reason: FinishReason) -> Self {
        let usage = TokenUsage { input_tokens: 100, output_tokens: 10, ..TokenUsage::default() };
        chunks.push(StreamChunk::Usage { usage });
        chunks.push(StreamChunk::Finish { reason, replay_state: None });
        Self::chunks(chunks)
    }
}

fn text_block(index: u64, text: JsString) -> Vec<StreamChunk> {
    vec![
        StreamChunk::BlockStart { index, block_type: "text".to_owned() },
        StreamChunk::TextDelta { index, text: text.clone() },
        StreamChunk::BlockEnd { index, block: ContentBlock::Text(text) },
    ]
}

fn call_block(index: u64, name: &str, args: &Value) -> Vec<StreamChunk> {
    let (id, name, arguments) = (CallId::from(format!("call_{}", index + 1)), JsString::from(name), JsString::from(args.to_string()));
    vec![
        StreamChunk::BlockStart { index, block_type: "tool-call".to_owned() },
        StreamChunk::ToolCallDelta { index, id: id.clone(), name: Some(name.clone()), arguments_delta: arguments.clone() },
        StreamChunk::BlockEnd { index, block: ContentBlock::ToolCall { id, name, arguments } },
    ]
}
