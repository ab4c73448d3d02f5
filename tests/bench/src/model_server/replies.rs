//! What the server answers: a few words and a call of `bash`, or a text that ends the conversation.

use std::fmt::Write;

/// The command that every step runs.
pub const COMMAND: &str = "echo measured";

/// What a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `/chat/completions`: the binaries made here, the C client and curl.
    Completions,
    /// `/messages`: the reference runtime.
    Messages,
}

/// A whole answer. `number` is that of the request in its conversation, from 0.
pub(super) fn reply(dialect: Dialect, number: usize, calls: bool) -> Vec<u8> {
    let events = match dialect {
        Dialect::Completions => completions(number, calls),
        Dialect::Messages => messages(number, calls),
    };
    let mut answer = String::from("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
    for event in events {
        let _ = write!(answer, "{:x}\r\n{event}\r\n", event.len());
    }
    answer.push_str("0\r\n\r\n");
    answer.into_bytes()
}

fn completions(number: usize, calls: bool) -> Vec<String> {
    let chunk = |choice: &str, usage: &str| {
        format!(
            "data: {{\"id\":\"chatcmpl-0\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"deepseek-v4-flash\",\"choices\":[{{\"index\":0,{choice}}}]{usage}}}\n\n"
        )
    };
    let delta = |delta: &str| chunk(&format!("\"delta\":{{{delta}}},\"finish_reason\":null"), "");
    let mut events = vec![delta("\"role\":\"assistant\",\"content\":\"\"")];
    let words: &[&str] = if calls { &["Let", " me", " look."] } else { &["Done."] };
    events.extend(words.iter().map(|word| delta(&format!("\"content\":\"{word}\""))));
    if calls {
        let arguments = format!("{{\\\"command\\\":\\\"{COMMAND}\\\"}}");
        let call = format!("\"id\":\"call_{number}\",\"type\":\"function\",\"function\":{{\"name\":\"bash\",\"arguments\":\"\"}}");
        events.push(delta(&format!("\"tool_calls\":[{{\"index\":0,{call}}}]")));
        events.push(delta(&format!("\"tool_calls\":[{{\"index\":0,\"function\":{{\"arguments\":\"{arguments}\"}}}}]")));
    }
    let finish = if calls { "tool_calls" } else { "stop" };
    let usage = ",\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":10,\"total_tokens\":110,\"prompt_cache_hit_tokens\":0,\"prompt_cache_miss_tokens\":100}";
    events.push(chunk(&format!("\"delta\":{{}},\"finish_reason\":\"{finish}\""), usage));
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn messages(number: usize, calls: bool) -> Vec<String> {
    let event = |kind: &str, rest: &str| format!("event: {kind}\ndata: {{\"type\":\"{kind}\"{rest}}}\n\n");
    let start = "\"id\":\"msg_0\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"deepseek-v4-flash\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":100,\"output_tokens\":1}";
    let mut events = vec![event("message_start", &format!(",\"message\":{{{start}}}"))];
    events.push(event("content_block_start", ",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}"));
    let words: &[&str] = if calls { &["Let", " me", " look."] } else { &["Done."] };
    let delta = |index: usize, delta: &str| event("content_block_delta", &format!(",\"index\":{index},\"delta\":{{{delta}}}"));
    events.extend(words.iter().map(|word| delta(0, &format!("\"type\":\"text_delta\",\"text\":\"{word}\""))));
    events.push(event("content_block_stop", ",\"index\":0"));
    if calls {
        let block = format!("\"type\":\"tool_use\",\"id\":\"call_{number}\",\"name\":\"bash\",\"input\":{{}}");
        events.push(event("content_block_start", &format!(",\"index\":1,\"content_block\":{{{block}}}")));
        let arguments = format!("{{\\\"command\\\":\\\"{COMMAND}\\\",\\\"description\\\":\\\"measure\\\"}}");
        events.push(delta(1, &format!("\"type\":\"input_json_delta\",\"partial_json\":\"{arguments}\"")));
        events.push(event("content_block_stop", ",\"index\":1"));
    }
    let reason = if calls { "tool_use" } else { "end_turn" };
    events.push(event(
        "message_delta",
        &format!(",\"delta\":{{\"stop_reason\":\"{reason}\",\"stop_sequence\":null}},\"usage\":{{\"output_tokens\":10}}"),
    ));
    events.push(event("message_stop", ""));
    events
}
