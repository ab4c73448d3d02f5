//! From recorded stream chunks to what a model server sends.

use std::collections::BTreeMap;

use dsh_product_tests::restored;
use dsh_testkit::Step;
use serde_json::{Value, json};

/// The answer of a model server that makes these chunks. What the server does not send (the ends of blocks) follows from the rest.
pub fn answer(chunks: &[Value]) -> Step {
    let mut numbers = BTreeMap::new();
    let mut usage = Value::Null;
    let mut events = Vec::new();
    for chunk in chunks {
        match chunk["type"].as_str() {
            Some("text-delta") => events.push(delta(&json!({ "content": chunk["text"] }))),
            Some("reasoning-delta") => events.push(delta(&json!({ "reasoning_content": chunk["text"] }))),
            Some("tool-call-delta") => {
                let next = numbers.len();
                let number = *numbers.entry(chunk["index"].as_u64()).or_insert(next);
                events.push(delta(&json!({ "tool_calls": [call(chunk, number)] })));
            }
            Some("finish") if chunk["reason"]["kind"] == "error" => return failure(&chunk["reason"]["failure"]),
            Some("usage") => usage = wire_usage(&chunk["usage"]),
            Some("finish") => events.push(finish(&chunk["reason"], &usage)),
            Some("block-start" | "block-end") => {}
            other => panic!("a recording holds a chunk of the unknown type {other:?}"),
        }
    }
    let lines: Vec<String> =
        events.iter().map(|event| format!("data: {}\n\n", restored(&event.to_string()))).chain(["data: [DONE]\n\n".to_owned()]).collect();
    Step::raw(lines.iter().map(String::as_str))
}

/// The answer of a server that fails with a status.
fn failure(failure: &Value) -> Step {
    let status = failure["status"].as_u64().and_then(|status| u16::try_from(status).ok());
    Step::status(status.expect("a recorded failure has a status"))
}

fn delta(delta: &Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn call(chunk: &Value, number: usize) -> Value {
    let mut function = json!({ "arguments": chunk["argumentsDelta"] });
    if let Some(name) = chunk.get("name") {
        function["name"] = name.clone();
    }
    json!({ "index": number, "id": chunk["id"], "type": "function", "function": function })
}

fn finish(reason: &Value, usage: &Value) -> Value {
    let word = match reason["kind"].as_str() {
        Some("stop") => "stop",
        Some("tool-calls") => "tool_calls",
        Some("max-tokens") => "length",
        other => panic!("a recording ends a reply for the reason {other:?}, which no model server gives"),
    };
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": word }], "usage": usage })
}

fn wire_usage(usage: &Value) -> Value {
    let count = |key: &str| usage[key].as_u64();
    let (fresh, said, cached) = (count("inputTokens").unwrap_or(0), count("outputTokens").unwrap_or(0), count("cacheReadTokens"));
    let mut wire = json!({ "prompt_tokens": fresh + cached.unwrap_or(0), "completion_tokens": said });
    if let Some(cached) = cached {
        wire["prompt_cache_hit_tokens"] = cached.into();
    }
    if let Some(reasoning) = count("reasoningTokens") {
        wire["completion_tokens_details"] = json!({ "reasoning_tokens": reasoning });
    }
    wire
}
