//! How a serving binary ends: in order, soon, and with nothing left behind.

use std::time::{Duration, Instant};

use dsh_product_tests::Signal;
use dsh_runtime::CancellationToken;
use dsh_testkit::Step;
use serde_json::json;

use crate::{Serving, ends, shell};

/// A session in the middle of a tool that would run for minutes, with children of all kinds beside it.
async fn in_mid_tool() -> Serving {
    let command = "sleep 300 & setsid sleep 300 & (set -m; nohup sleep 300 > /dev/null 2>&1 &) ; echo begun > begun.txt; sleep 300";
    let mut serving = Serving::start([shell(command), Step::text("never said")]).await;
    serving.client.prompt("busy", "wait").await;
    serving.client.wait_for("the tool to be called", |frame| frame.kind() == "tool/call").await;
    let begun = serving.place.workspace().join("begun.txt");
    until("the command runs", || begun.exists()).await;
    serving
}

/// Looks again and again, for things that are not told.
async fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(30), "waited in vain until {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn shutdown_while_idle_is_answered_and_ends_in_order() {
    let mut serving = Serving::start([Step::text("done")]).await;
    serving.turn("calm", "hello").await;
    let id = serving.client.ask("shutdown", &json!({})).await;
    let ended = serving.client.end().await;
    assert_eq!(ended.status, 0);
    let late: Vec<&str> = ended.late().iter().map(|frame| frame.text.as_str()).collect();
    assert_eq!(late, [format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)]);
    assert_eq!(ended.stderr, "");
    serving.place.wait_until_nothing_runs().await;
}

#[tokio::test]
async fn shutdown_in_mid_tool_tells_nothing_more_and_logs_what_was_given_up() {
    let mut serving = in_mid_tool().await;
    assert!(serving.place.processes().len() >= 5, "binary, shell and the commands run: {:?}", serving.place.processes());
    let id = serving.client.ask("shutdown", &json!({})).await;
    let ended = serving.client.end().await;
    assert_eq!(ended.status, 0);
    let late: Vec<&str> = ended.late().iter().map(|frame| frame.text.as_str()).collect();
    assert_eq!(late, [format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)], "nothing is told but the answer");
    serving.place.wait_until_nothing_runs().await;

    let log = serving.place.log("busy");
    assert_eq!(log.kinds()[log.events.len() - 3..], ["tool/result", "step/end", "turn/end"]);
    let result = &log.events[log.events.len() - 3]["data"];
    assert_eq!((&result["error"]["code"], &result["message"]["content"][0]["isError"]), (&json!("ABORTED"), &json!(true)), "{result}");
    assert_eq!(ends(&log.events), [&json!({ "kind": "aborted", "reason": { "kind": "disposed" } })]);
}

#[tokio::test]
async fn the_end_of_input_ends_it_also_in_mid_tool() {
    let serving = in_mid_tool().await;
    assert_eq!(serving.client.close().await.status, 0);
    serving.place.wait_until_nothing_runs().await;
    let log = serving.place.log("busy");
    assert_eq!(ends(&log.events), [&json!({ "kind": "aborted", "reason": { "kind": "disposed" } })]);
}

#[tokio::test]
async fn the_end_of_input_ends_it_also_in_mid_stream() {
    let mut serving = Serving::start([Step::text("half a sentence").stall()]).await;
    serving.client.prompt("streaming", "talk").await;
    serving.client.wait_for("some text", |frame| frame.text.contains("text-delta")).await;
    assert_eq!(serving.client.close().await.status, 0);
    let log = serving.place.log("streaming");
    assert_eq!(log.kinds()[log.events.len() - 3..], ["assistant/message", "step/end", "turn/end"]);
    assert_eq!(log.events[log.events.len() - 3]["data"]["interrupted"], true);
}

#[tokio::test]
async fn signals_end_it_in_order() {
    for (signal, status) in [(Signal::TERM, 0), (Signal::INT, 130)] {
        let serving = in_mid_tool().await;
        serving.client.signal(signal);
        assert_eq!(serving.client.end().await.status, status, "after {signal:?}");
        serving.place.wait_until_nothing_runs().await;
        let log = serving.place.log("busy");
        assert_eq!(ends(&log.events), [&json!({ "kind": "aborted", "reason": { "kind": "disposed" } })], "after {signal:?}");
    }
}

#[tokio::test]
async fn a_signal_before_the_first_request_ends_it() {
    let mut serving = Serving::start([Step::text("unused")]).await;
    assert!(serving.client.request("nothing", &json!({})).await.is_err());
    serving.client.signal(Signal::TERM);
    assert_eq!(serving.client.end().await.status, 0);
}

#[tokio::test]
async fn requests_that_wait_do_not_hold_the_end_up() {
    let gate = CancellationToken::new();
    let mut serving = Serving::start([Step::text("never said").hold(&gate)]).await;
    serving.client.prompt("held", "think").await;
    serving.server.wait_for_requests(1).await;
    serving.client.ask("shutdown", &json!({})).await;
    assert_eq!(serving.client.end().await.status, 0);
    assert_eq!(ends(&serving.place.log("held").events), [&json!({ "kind": "aborted", "reason": { "kind": "disposed" } })]);
}
