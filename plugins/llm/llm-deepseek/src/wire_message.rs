//! A message of the log as messages of the API. Each is written without regard to its neighbours, so a history only grows.

use dsh_json::{JsString, to_text};
use dsh_message::{CallId, ContentBlock, LlmFailure, Message, Role};
use serde::Serialize;

/// Stands for a tool's answer without text; the API refuses empty answers.
const NO_OUTPUT: &str = "(no output)";

#[derive(Serialize)]
struct Plain<'a> {
    role: &'static str,
    content: &'a JsString,
}

#[derive(Serialize)]
struct Reply<'a> {
    role: &'static str,
    content: JsString,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<JsString>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a CallId,
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a JsString,
    arguments: &'a JsString,
}

#[derive(Serialize)]
struct Answer<'a> {
    role: &'static str,
    tool_call_id: &'a CallId,
    content: JsString,
}

/// Appends a message to `out`, which holds members of a JSON array.
pub(crate) fn write(message: &Message, out: &mut String) -> Result<(), LlmFailure> {
    match message.role {
        Role::Assistant => push(&reply(&message.content)?, out),
        Role::User => user(&message.content, out),
    }
}

/// Appends the system prompt.
pub(crate) fn write_system(prompt: &JsString, out: &mut String) -> Result<(), LlmFailure> {
    push(&Plain { role: "system", content: prompt }, out)
}

fn reply(blocks: &[ContentBlock]) -> Result<Reply<'_>, LlmFailure> {
    let (mut text, mut reasoning, mut tool_calls) = (Vec::new(), Vec::new(), Vec::new());
    for block in blocks {
        match block {
            ContentBlock::Text(words) => text.push(words.clone()),
            ContentBlock::Reasoning(words) => reasoning.push(words.clone()),
            ContentBlock::ToolCall { id, name, arguments } => {
                tool_calls.push(Call { id, r#type: "function", function: Function { name, arguments } });
            }
            ContentBlock::ToolResult { .. } | ContentBlock::Other(_) => return Err(unsupported(block, "a reply")),
        }
    }
    let reasoning_content = (!reasoning.is_empty()).then(|| JsString::concat(&reasoning));
    Ok(Reply { role: "assistant", content: JsString::concat(&text), reasoning_content, tool_calls })
}

/// The text first, unless there are only results; then one message for each result.
fn user(blocks: &[ContentBlock], out: &mut String) -> Result<(), LlmFailure> {
    let (mut text, mut answers) = (Vec::new(), Vec::new());
    for block in blocks {
        match block {
            ContentBlock::Text(words) => text.push(words.clone()),
            ContentBlock::ToolResult { tool_call_id, content, .. } => {
                let words = JsString::concat(&texts(content)?);
                let content = if words.is_empty() { NO_OUTPUT.into() } else { words };
                answers.push(Answer { role: "tool", tool_call_id, content });
            }
            _ => return Err(unsupported(block, "a user message")),
        }
    }
    let text = JsString::concat(&text);
    if !text.is_empty() || answers.is_empty() {
        push(&Plain { role: "user", content: &text }, out)?;
    }
    answers.iter().try_for_each(|answer| push(answer, out))
}

fn texts(blocks: &[ContentBlock]) -> Result<Vec<JsString>, LlmFailure> {
    let text = |block: &ContentBlock| match block {
        ContentBlock::Text(words) => Ok(words.clone()),
        _ => Err(unsupported(block, "a tool's answer")),
    };
    blocks.iter().map(text).collect()
}

fn push<T: Serialize>(message: &T, out: &mut String) -> Result<(), LlmFailure> {
    let json = to_text(message).map_err(|error| LlmFailure::new("INVALID_REQUEST", error.to_string()))?;
    if !out.is_empty() {
        out.push(',');
    }
    out.push_str(&json);
    Ok(())
}

fn unsupported(block: &ContentBlock, place: &str) -> LlmFailure {
    let message = format!("content of type `{}` in {place} cannot be sent to this provider", block.type_name());
    LlmFailure::new("UNSUPPORTED_CONTENT", message)
}
