//! The order of frames that clients rely on.

use dsh_product_tests::{Frame, events_of};
use dsh_runtime::CancellationToken;
use dsh_testkit::Step;
use serde_json::{Value, json};

use crate::{Serving, shell, turns::assert_numbered};

/// The kinds of frames, runs of stream chunks as one. The answer to the prompt may come anywhere, and so may the title.
fn kinds(frames: &[Frame]) -> Vec<&str> {
    let mut kinds: Vec<&str> = frames.iter().map(Frame::kind).filter(|kind| !matches!(*kind, "answer" | "session/title")).collect();
    kinds.dedup_by(|next, before| *before == "assistant/chunk" && next == before);
    kinds
}

const OPENING: [&str; 4] = ["agent/inbox/spliced", "running", "turn/start", "agent/inbox/spliced"];
const REPLY: [&str; 2] = ["assistant/chunk", "assistant/message"];

#[tokio::test]
async fn a_turn_with_a_tool_is_told_in_order() {
    let mut serving = Serving::start([shell("echo hi").and_text("I look."), Step::text("done")]).await;
    let frames = serving.client.turn("order", "say hi").await;

    let first_step = [&["step/start", "user/message", "request/header", "request/context"][..], &REPLY].concat();
    let tool = ["tool/call", "tool/result", "step/end"];
    let last_step = [&["step/start"][..], &REPLY, &["step/end", "turn/end", "idle"]].concat();
    assert_eq!(kinds(&frames), [&OPENING[..], &first_step, &tool, &last_step].concat());

    let events = events_of(&frames, "order");
    assert_numbered(&events);
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).collect::<Vec<_>>();
    assert_eq!(of("session/title").len(), 1);
    assert_eq!(of("tool/result")[0]["sourceEventSeqs"], json!([of("tool/call")[0]["seq"]]));
    let chunks: Vec<&Value> = of("assistant/chunk").iter().filter(|event| event["data"]["step"] == 1).map(|event| &event["seq"]).collect();
    assert_eq!(of("assistant/message")[0]["sourceEventSeqs"], json!(chunks), "a reply cites the chunks that it came in");
    serving.client.close().await;
}

#[tokio::test]
async fn the_receipt_of_a_prompt_bears_the_id_of_the_answer() {
    let mut serving = Serving::start([Step::text("done")]).await;
    let id = serving.client.prompt("receipt", "hello").await;
    serving.client.wait_for("the end of the turn", |frame| frame.is_idle("receipt")).await;
    let receipt = events_of(&serving.client.seen, "receipt").remove(0);
    let message = json!({ "content": [{ "type": "text", "text": "hello" }], "source": { "kind": "user" }, "role": "user", "id": id });
    assert_eq!(receipt["data"], json!({ "target": "next-turn", "start": 0, "inserted": [message] }));
    let entered = events_of(&serving.client.seen, "receipt").into_iter().find(|event| event["type"] == "user/message").unwrap();
    assert_eq!((&entered["data"], &entered["surfaceOp"]), (&message, &json!("append")));
    serving.client.close().await;
}

#[tokio::test]
async fn prompts_sent_while_it_works_run_in_the_same_interval() {
    let gate = CancellationToken::new();
    let mut serving = Serving::start([Step::text("one").hold(&gate), Step::text("two"), Step::text("three")]).await;
    serving.client.prompt("queue", "first").await;
    serving.server.wait_for_requests(1).await;
    for text in ["second", "third"] {
        serving.client.prompt("queue", text).await;
    }
    gate.cancel();
    serving.client.wait_for("the end of all turns", |frame| frame.is_idle("queue")).await;

    let statuses: Vec<&str> =
        serving.client.seen.iter().filter(|frame| frame.method() == Some("session.status")).map(Frame::kind).collect();
    assert_eq!(statuses, ["running", "idle"]);
    let events = events_of(&serving.client.seen, "queue");
    let turns: Vec<&Value> = events.iter().filter(|event| event["type"] == "turn/end").map(|event| &event["data"]["turn"]).collect();
    assert_eq!(turns, [1, 2, 3]);
    let queued: Vec<&Value> =
        events.iter().filter(|event| event["data"]["inserted"][0].is_object()).map(|event| &event["data"]["start"]).collect();
    assert_eq!(queued, [0, 0, 1], "a waiting prompt is told with its place in the queue");
    serving.client.close().await;
}
