//! The events of a reply.

use serde_json::{Value, json};

use super::step::ModelReply;

/// The events before the finish reason, and those from it on.
pub(super) struct Events {
    pub(super) said: Vec<String>,
    pub(super) last: Vec<String>,
}

/// The events of a reply to the call with this number.
pub(super) fn events(reply: &ModelReply, call: usize, model: &str) -> Events {
    let chunk = |delta: Value, finish: Option<&str>, usage: Option<&Value>| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        let mut chunk =
            json!({ "id": "chatcmpl-mock", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [choice] });
        if let Some(usage) = usage {
            chunk["usage"] = usage.clone();
        }
        format!("data: {chunk}\n\n")
    };
    let mut said = vec![chunk(json!({ "role": "assistant", "content": "" }), None, None)];
    said.extend(split(&reply.reasoning, reply.pieces).map(|piece| chunk(json!({ "reasoning_content": piece }), None, None)));
    said.extend(split(&reply.text, reply.pieces).map(|piece| chunk(json!({ "content": piece }), None, None)));
    for (index, (name, arguments)) in reply.tools.iter().enumerate() {
        let start = json!({ "index": index, "id": format!("call_{call}_{index}"), "type": "function", "function": { "name": name, "arguments": "" } });
        said.push(chunk(json!({ "tool_calls": [start] }), None, None));
        for piece in split(arguments, reply.pieces) {
            let more = json!({ "index": index, "function": { "arguments": piece } });
            said.push(chunk(json!({ "tool_calls": [more] }), None, None));
        }
    }
    let finish = reply.finish.as_deref().unwrap_or(if reply.tools.is_empty() { "stop" } else { "tool_calls" });
    Events { said, last: vec![chunk(json!({}), Some(finish), Some(&reply.usage)), "data: [DONE]\n\n".to_owned()] }
}

/// A text in about so many pieces of equal length; nothing for an empty one.
fn split(text: &str, pieces: usize) -> impl Iterator<Item = String> {
    let characters: Vec<char> = text.chars().collect();
    let length = characters.len().div_ceil(pieces.max(1)).max(1);
    characters.chunks(length).map(|piece| piece.iter().collect()).collect::<Vec<String>>().into_iter()
}
