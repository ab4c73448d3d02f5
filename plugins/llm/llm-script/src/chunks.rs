//! A step as the chunks of a reply.

use dsh_json::{JsString, to_text};
use dsh_message::{CallId, ContentBlock, FinishReason, LlmFailure, StreamChunk, TokenUsage};

use crate::conversation::Conversation;
use crate::script::{Arguments, Ending, Failure, Finish, Step};

/// Characters that count as one token; a rough figure is enough for a model that is none.
const CHARACTERS_PER_TOKEN: usize = 4;

/// The reply. A step that fails streams first what it says; its blocks stay open.
pub(crate) fn reply(step: &Step, conversation: &Conversation<'_>) -> Result<Vec<Result<StreamChunk, LlmFailure>>, LlmFailure> {
    let mut blocks = Vec::new();
    blocks.extend(step.reasoning.as_deref().map(|text| ContentBlock::Reasoning(text.into())));
    blocks.extend(step.text.as_deref().map(ContentBlock::text));
    for (number, call) in step.tools.iter().enumerate() {
        // Replies only grow in number, so the id is unique in its session.
        let id = CallId::from(format!("call-{}-{number}", conversation.replies() + 1));
        blocks.push(ContentBlock::ToolCall { id, name: call.name.as_str().into(), arguments: arguments(&call.arguments)? });
    }
    let output = blocks.iter().map(length).sum::<usize>();
    let fails = matches!(step.ending, Ending::Fail(_));
    let mut chunks: Vec<_> = (0..).zip(blocks).flat_map(|(index, block)| pieces(index, block, !fails)).map(Ok).collect();
    match &step.ending {
        Ending::Fail(Failure { code, message, status }) => {
            chunks.push(Err(LlmFailure { status: *status, ..LlmFailure::new(code, message.as_str()) }));
        }
        Ending::Finish(finish) => {
            let usage = TokenUsage { input_tokens: tokens(conversation.length()), output_tokens: tokens(output), ..TokenUsage::default() };
            let reason = match finish {
                Finish::Stop => FinishReason::Stop,
                Finish::ToolCalls => FinishReason::ToolCalls,
                Finish::MaxTokens => FinishReason::MaxTokens,
            };
            chunks.extend([Ok(StreamChunk::Usage { usage }), Ok(StreamChunk::Finish { reason, replay_state: None })]);
        }
    }
    Ok(chunks)
}

fn arguments(arguments: &Arguments) -> Result<JsString, LlmFailure> {
    match arguments {
        Arguments::Text(text) => Ok(text.as_str().into()),
        Arguments::Object(object) => {
            let text = to_text(object).map_err(|error| LlmFailure::new("SCRIPT", format!("arguments of a scripted tool call: {error}")))?;
            Ok(text.into())
        }
    }
}

/// A block word by word.
fn pieces(index: u64, block: ContentBlock, ends: bool) -> Vec<StreamChunk> {
    let mut chunks = vec![StreamChunk::BlockStart { index, block_type: block.type_name() }];
    match &block {
        ContentBlock::Text(text) => chunks.extend(words(text).into_iter().map(|text| StreamChunk::TextDelta { index, text })),
        ContentBlock::Reasoning(text) => chunks.extend(words(text).into_iter().map(|text| StreamChunk::ReasoningDelta { index, text })),
        ContentBlock::ToolCall { id, name, arguments } => {
            chunks.push(StreamChunk::ToolCallDelta { index, id: id.clone(), name: Some(name.clone()), arguments_delta: arguments.clone() });
        }
        ContentBlock::ToolResult { .. } | ContentBlock::Other(_) => {}
    }
    if ends {
        chunks.push(StreamChunk::BlockEnd { index, block });
    }
    chunks
}

/// The words of a text, each with the space behind it.
fn words(text: &JsString) -> Vec<JsString> {
    text.to_lossy().split_inclusive(' ').map(JsString::from).collect()
}

fn length(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::Text(text) | ContentBlock::Reasoning(text) => text.utf16_len(),
        ContentBlock::ToolCall { name, arguments, .. } => name.utf16_len() + arguments.utf16_len(),
        ContentBlock::ToolResult { .. } | ContentBlock::Other(_) => 0,
    }
}

fn tokens(characters: usize) -> u64 {
    characters.div_ceil(CHARACTERS_PER_TOKEN) as u64
}
