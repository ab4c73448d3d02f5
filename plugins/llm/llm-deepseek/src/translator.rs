//! From chunks of a chat completion to chunks of the harness.

use std::collections::VecDeque;

use dsh_json::JsString;
use dsh_message::{CallId, ContentBlock, FinishReason, LlmFailure, StreamChunk, TokenUsage};

use crate::completion::{CallPiece, Completion, Delta};
use crate::failure::{QUOTED, reported};

/// Most that is kept of one reply, in bytes: many times what the largest ceiling of output tokens comes to.
const REPLY_LIMIT: usize = 32 * 1024 * 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Reasoning,
}

enum Block {
    Words { kind: Kind, parts: Vec<JsString> },
    Call { number: u64, id: JsString, name: JsString, arguments: Vec<JsString> },
}

/// The state of one reply. Blocks are numbered in the order in which they open and end all together, with the reply.
#[derive(Default)]
pub(crate) struct Translator {
    blocks: Vec<Block>,
    usage: Option<TokenUsage>,
    finish_reason: Option<String>,
    ended: bool,
    /// What the blocks take, in bytes.
    kept: usize,
}

impl Translator {
    /// Whether the reply is complete; what comes later is ignored.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// Takes the data of an event in; `out` gets what it means.
    pub(crate) fn take(&mut self, data: &[u8], out: &mut VecDeque<StreamChunk>) -> Result<(), LlmFailure> {
        if data == b"[DONE]" {
            self.end(out);
            return Ok(());
        }
        let mut completion: Completion = serde_json::from_slice(data).map_err(|error| malformed(data, &error))?;
        if let Some(error) = &completion.error {
            return Err(reported(error));
        }
        if let Some(usage) = &completion.usage {
            self.usage = Some(usage.tokens());
        }
        if let Some(choice) = completion.choice() {
            self.finish_reason = choice.finish_reason.or(self.finish_reason.take());
            if let Some(delta) = choice.delta {
                self.kept += delta.cost();
                if self.kept > REPLY_LIMIT {
                    let message = format!("the model's reply is larger than {} MiB", REPLY_LIMIT >> 20);
                    return Err(LlmFailure::new("MALFORMED_RESPONSE", message));
                }
                self.delta(delta, out);
            }
        }
        Ok(())
    }

    fn delta(&mut self, delta: Delta, out: &mut VecDeque<StreamChunk>) {
        for (kind, text) in [(Kind::Reasoning, delta.reasoning_content), (Kind::Text, delta.content)] {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                self.words(kind, text, out);
            }
        }
        for (place, piece) in (0..).zip(delta.tool_calls.unwrap_or_default()) {
            self.call(piece, place, out);
        }
    }

    /// More of the reply's one text or of its one reasoning.
    fn words(&mut self, wanted: Kind, text: JsString, out: &mut VecDeque<StreamChunk>) {
        let at = self.blocks.iter().position(|block| matches!(block, Block::Words { kind, .. } if *kind == wanted));
        let at = at.unwrap_or_else(|| {
            let name = if wanted == Kind::Text { "text" } else { "reasoning" };
            self.open(Block::Words { kind: wanted, parts: Vec::new() }, name, out)
        });
        if let Block::Words { parts, .. } = &mut self.blocks[at] {
            parts.push(text.clone());
        }
        let index = at as u64;
        out.push_back(match wanted {
            Kind::Text => StreamChunk::TextDelta { index, text },
            Kind::Reasoning => StreamChunk::ReasoningDelta { index, text },
        });
    }

    /// A piece of a tool call; `place` numbers calls of a provider that does not.
    fn call(&mut self, piece: CallPiece, place: u64, out: &mut VecDeque<StreamChunk>) {
        let wanted = piece.index.unwrap_or(place);
        let at = self.blocks.iter().position(|block| matches!(block, Block::Call { number, .. } if *number == wanted));
        let at = at.unwrap_or_else(|| {
            let block = Block::Call { number: wanted, id: JsString::default(), name: JsString::default(), arguments: Vec::new() };
            self.open(block, "tool-call", out)
        });
        let function = piece.function.unwrap_or_default();
        let (new_name, arguments_delta) = (function.name.filter(|name| !name.is_empty()), function.arguments.unwrap_or_default());
        let Block::Call { id, name, arguments, .. } = &mut self.blocks[at] else { return };
        if let Some(new_id) = piece.id.filter(|new_id| !new_id.is_empty()) {
            *id = new_id;
        }
        if let Some(new_name) = &new_name {
            *name = new_name.clone();
        }
        arguments.push(arguments_delta.clone());
        out.push_back(StreamChunk::ToolCallDelta { index: at as u64, id: CallId(id.clone()), name: new_name, arguments_delta });
    }

    fn open(&mut self, block: Block, kind: &str, out: &mut VecDeque<StreamChunk>) -> usize {
        let at = self.blocks.len();
        out.push_back(StreamChunk::BlockStart { index: at as u64, block_type: kind.to_owned() });
        self.blocks.push(block);
        at
    }

    fn end(&mut self, out: &mut VecDeque<StreamChunk>) {
        self.ended = true;
        let empty = self.blocks.is_empty();
        for (index, block) in (0..).zip(self.blocks.drain(..)) {
            out.push_back(StreamChunk::BlockEnd { index, block: whole(block) });
        }
        out.extend(self.usage.map(|usage| StreamChunk::Usage { usage }));
        out.push_back(StreamChunk::Finish { reason: reason(self.finish_reason.as_deref(), empty), replay_state: None });
    }
}

fn whole(block: Block) -> ContentBlock {
    match block {
        Block::Words { kind: Kind::Text, parts } => ContentBlock::Text(JsString::concat(&parts)),
        Block::Words { kind: Kind::Reasoning, parts } => ContentBlock::Reasoning(JsString::concat(&parts)),
        Block::Call { id, name, arguments, .. } => ContentBlock::ToolCall { id: CallId(id), name, arguments: JsString::concat(&arguments) },
    }
}

fn reason(word: Option<&str>, empty: bool) -> FinishReason {
    match word {
        None | Some("stop") if empty => {
            FinishReason::Error { failure: LlmFailure::new("EMPTY_RESPONSE", "the model stopped without saying anything") }
        }
        None | Some("stop") => FinishReason::Stop,
        Some("tool_calls") => FinishReason::ToolCalls,
        Some("length") => FinishReason::MaxTokens,
        Some(other) => {
            let code = if other.is_empty() { "UNKNOWN".to_owned() } else { other.to_uppercase() };
            FinishReason::Error { failure: LlmFailure::new(&code, format!("the model ended its reply for the reason `{other}`")) }
        }
    }
}

fn malformed(data: &[u8], error: &serde_json::Error) -> LlmFailure {
    let start: String = String::from_utf8_lossy(data).chars().take(QUOTED).collect();
    LlmFailure::new("MALFORMED_RESPONSE", format!("a part of the model's reply cannot be read ({error}): {start}"))
}
