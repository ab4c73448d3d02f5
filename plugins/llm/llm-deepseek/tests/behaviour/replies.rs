//! Streamed replies become chunks.

use dsh_json::JsString;
use dsh_message::{ContentBlock, FinishReason, StreamChunk, TokenUsage};

use crate::server::{Part, Server, event, head, last, piece, stream};
use crate::setup::{failure, hello, setup};

async fn reply(answer: Vec<Part>) -> Vec<StreamChunk> {
    let server = Server::start([answer]).await;
    setup(&server).await.reply(hello()).await
}

fn start(index: u64, block_type: &str) -> StreamChunk {
    StreamChunk::BlockStart { index, block_type: block_type.to_owned() }
}

fn text(index: u64, text: &str) -> StreamChunk {
    StreamChunk::TextDelta { index, text: text.into() }
}

fn end(index: u64, block: ContentBlock) -> StreamChunk {
    StreamChunk::BlockEnd { index, block }
}

fn finish(reason: FinishReason) -> StreamChunk {
    StreamChunk::Finish { reason, replay_state: None }
}

fn plain() -> Vec<StreamChunk> {
    vec![start(0, "text"), text(0, "h"), text(0, "é"), end(0, ContentBlock::text("hé")), finish(FinishReason::Stop)]
}

#[tokio::test]
async fn reasoning_text_and_usage() {
    let usage = r#"{"id":"x","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":60},"prompt_cache_hit_tokens":1,"completion_tokens_details":{"reasoning_tokens":4}}}"#;
    let reply = reply(stream(&[
        &event(r#"{"role":"assistant","content":"","reasoning_content":null}"#, None),
        &event(r#"{"content":"a","reasoning_content":"think"}"#, None),
        &event(r#"{"reasoning_content":"ing"}"#, None),
        &event(r#"{"content":"b"}"#, Some("stop")),
        usage,
    ]))
    .await;
    let more = |index, text: &str| StreamChunk::ReasoningDelta { index, text: text.into() };
    let usage =
        TokenUsage { input_tokens: 40, output_tokens: 9, cache_read_tokens: Some(60), cache_write_tokens: None, reasoning_tokens: Some(4) };
    let expected = [
        start(0, "reasoning"),
        more(0, "think"),
        start(1, "text"),
        text(1, "a"),
        more(0, "ing"),
        text(1, "b"),
        end(0, ContentBlock::Reasoning("thinking".into())),
        end(1, ContentBlock::text("ab")),
        StreamChunk::Usage { usage },
        finish(FinishReason::Stop),
    ];
    assert_eq!(reply, expected);
}

#[tokio::test]
async fn two_calls_at_once_whose_ids_come_late() {
    let calls = |pieces: &str| event(&format!(r#"{{"tool_calls":[{pieces}]}}"#), None);
    let reply = reply(stream(&[
        &calls(
            r#"{"index":0,"function":{"arguments":"{"}},{"index":1,"id":"b","type":"function","function":{"name":"cat","arguments":""}}"#,
        ),
        &calls(r#"{"index":0,"id":"a","function":{"name":"ls"}}"#),
        &calls(r#"{"index":1,"function":{"arguments":"[]"}}"#),
        &calls(r#"{"index":0,"id":"","function":{"name":"","arguments":"}"}}"#),
        &event("{}", Some("tool_calls")),
    ]))
    .await;
    let delta = |index, id: &str, name: Option<&str>, arguments: &str| StreamChunk::ToolCallDelta {
        index,
        id: id.into(),
        name: name.map(JsString::from),
        arguments_delta: arguments.into(),
    };
    let call =
        |id: &str, name: &str, arguments: &str| ContentBlock::ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() };
    let expected = [
        start(0, "tool-call"),
        delta(0, "", None, "{"),
        start(1, "tool-call"),
        delta(1, "b", Some("cat"), ""),
        delta(0, "a", Some("ls"), ""),
        delta(1, "b", None, "[]"),
        delta(0, "a", None, "}"),
        end(0, call("a", "ls", "{}")),
        end(1, call("b", "cat", "[]")),
        finish(FinishReason::ToolCalls),
    ];
    assert_eq!(reply, expected);
}

#[tokio::test]
async fn bytes_may_be_cut_anywhere() {
    let body = format!(
        ": hello\r\n\r\ndata: {}\r\n\r\nevent: x\r\ndata: {}\r\n\r\ndata: [DONE]\r\n\r\n",
        event(r#"{"content":"h"}"#, None),
        event(r#"{"content":"é"}"#, Some("stop"))
    );
    let mut answer = vec![head()];
    answer.extend(body.as_bytes().chunks(1).map(piece));
    answer.push(last());
    assert_eq!(reply(answer).await, plain());
}

#[tokio::test]
async fn halves_of_a_character_are_joined() {
    let reply = reply(stream(&[&event(r#"{"content":"\ud83d"}"#, None), &event(r#"{"content":"\ude00"}"#, Some("stop"))])).await;
    assert_eq!(reply[3], end(0, ContentBlock::text("😀")));
}

#[tokio::test]
async fn finish_reasons() {
    let said = event(r#"{"content":"a"}"#, None);
    for (reason, expected) in [("stop", FinishReason::Stop), ("length", FinishReason::MaxTokens)] {
        assert_eq!(reply(stream(&[&said, &event("{}", Some(reason))])).await.last(), Some(&finish(expected)));
    }
    assert_eq!(reply(stream(&[&said])).await.last(), Some(&finish(FinishReason::Stop)));
    let filtered = reply(stream(&[&said, &event("{}", Some("content_filter"))])).await;
    assert_eq!(failure(&filtered).code, "CONTENT_FILTER");
    assert_eq!(filtered[2], end(0, ContentBlock::text("a")));
}

#[tokio::test]
async fn a_stop_without_content_is_a_failure() {
    assert_eq!(failure(&reply(stream(&[&event(r#"{"content":""}"#, Some("stop"))])).await).code, "EMPTY_RESPONSE");
    assert_eq!(failure(&reply(vec![head(), last()]).await).code, "EMPTY_RESPONSE");
}

#[tokio::test]
async fn what_came_before_a_failure_is_kept() {
    let good = format!("data: {}\n\n", event(r#"{"content":"a"}"#, None));
    let long = "x".repeat(300);
    let answer = |rest: &str| vec![head(), piece(format!("{good}{rest}").as_bytes()), last()];
    for (answer, code, words) in [
        (answer(""), "STREAM_CLOSED", "broke off"),
        (answer(&format!("data: {{oops {long}\n\n")), "MALFORMED_RESPONSE", "{oops xxx"),
        (answer("data: {\"error\":{\"message\":\"busy\"}}\n\n"), "SERVER", "busy"),
        (answer("data: {\"error\":{\"message\":\"Insufficient Balance\"}}\n\n"), "QUOTA", "Balance"),
        (vec![head(), piece(good.as_bytes()), Part::Cut], "TRANSPORT", "exchange"),
    ] {
        let reply = reply(answer).await;
        let failure = failure(&reply);
        assert_eq!((failure.code.as_str(), failure.request_id.as_deref()), (code, Some("r-1")));
        assert!(failure.message.contains(words) && failure.message.len() < 300, "{failure}");
        assert_eq!(reply[..2], [start(0, "text"), text(0, "a")], "{code}");
    }
}
