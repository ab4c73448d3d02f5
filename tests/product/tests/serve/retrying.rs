//! Failed calls of the model, repeated in the same step after a pause.

use dsh_testkit::Step;
use serde_json::{Value, json};

use crate::{Serving, ends};

fn of_kind<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

/// The kinds of the events of a step, runs of chunks as one.
fn step_kinds(events: &[Value]) -> Vec<&str> {
    let kinds = events.iter().filter_map(|event| event["type"].as_str());
    let mut kinds: Vec<&str> = kinds.skip_while(|kind| *kind != "step/start").filter(|kind| *kind != "session/title").collect();
    kinds.dedup();
    kinds
}

#[tokio::test]
async fn a_call_that_fails_in_three_ways_succeeds_at_the_fourth_attempt() {
    let steps = [
        Step::status(429).header("retry-after", "1"),
        Step::status(500),
        Step::text("this half is not the answer").cut(),
        Step::text("at last"),
    ];
    let mut serving = Serving::start(steps).await;
    let events = serving.turn("retried", "hello").await;
    let attempts = ["assistant/chunk", "llm/retry", "llm/retry-started"];
    let expected = [
        &["step/start", "user/message", "request/header", "request/context"][..],
        &attempts,
        &attempts,
        &attempts,
        &["assistant/chunk", "assistant/message", "step/end", "turn/end"],
    ];
    assert_eq!(step_kinds(&events), expected.concat(), "one step, in which nothing of the header changed");
    assert_eq!(ends(&events), [&json!({ "kind": "completed" })]);

    let (scheduled, started) = (of_kind(&events, "llm/retry"), of_kind(&events, "llm/retry-started"));
    let failures = [
        json!({ "code": "RATE_LIMIT", "status": 429, "providerRetryAfterMs": 1000 }),
        json!({ "code": "SERVER", "status": 500 }),
        json!({ "code": "TRANSPORT" }),
    ];
    let key = r#"["normal",5,["EMPTY_RESPONSE","RATE_LIMIT","SERVER","TIMEOUT","TRANSPORT"],500,10000,0.1]"#;
    for (at, failure) in failures.iter().enumerate() {
        let (data, begun) = (&scheduled[at]["data"], &started[at]["data"]);
        for (member, value) in failure.as_object().unwrap() {
            assert_eq!(&data["failure"][member], value, "attempt {}: {member}", at + 1);
        }
        let common = json!({ "retryId": scheduled[0]["data"]["retryId"], "turn": 1, "step": 1, "retry": at + 1 });
        assert_eq!(begun, &common);
        let told = json!({ "provider": "deepseek-official", "mode": "normal", "policyKey": key, "maxRetries": 5 });
        for (member, value) in common.as_object().unwrap().iter().chain(told.as_object().unwrap()) {
            assert_eq!(&data[member], value, "attempt {}: {member}", at + 1);
        }
        let waited = started[at]["time"].as_i64().unwrap() - scheduled[at]["time"].as_i64().unwrap();
        assert!(waited as f64 >= data["delayMs"].as_f64().unwrap().floor() - 1.0, "attempt {}: {waited} ms, {data}", at + 1);
    }
    let delay = |at: usize| scheduled[at]["data"]["delayMs"].as_f64().unwrap();
    assert_eq!(delay(0), 1000.0, "the provider's own pause");
    assert!((900.0..=1100.0).contains(&delay(1)) && (1800.0..=2200.0).contains(&delay(2)), "{} {}", delay(1), delay(2));

    let reply = of_kind(&events, "assistant/message")[0];
    assert_eq!(reply["data"]["message"]["content"], json!([{ "type": "text", "text": "at last" }]));
    let last_start = started[2]["seq"].as_u64().unwrap();
    let cited: Vec<u64> = reply["sourceEventSeqs"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    let chunks: Vec<u64> =
        of_kind(&events, "assistant/chunk").iter().filter_map(|chunk| chunk["seq"].as_u64()).filter(|seq| *seq > last_start).collect();
    assert_eq!(cited, chunks, "the reply is made of the last attempt alone");
    let bodies = serving.bodies();
    assert_eq!(bodies.len(), 4);
    assert!(bodies.iter().all(|body| *body == bodies[0]), "each attempt asks the same");
    serving.client.close().await;
}

#[tokio::test]
async fn a_pause_longer_than_the_policy_allows_is_not_waited_for() {
    let mut serving = Serving::start([Step::status(429).header("retry-after", "60"), Step::text("never asked")]).await;
    let events = serving.turn("impatient", "hello").await;
    assert_eq!(of_kind(&events, "llm/retry"), [&Value::Null; 0]);
    assert_eq!(ends(&events)[0]["error"]["providerRetryAfterMs"], 60_000);
    assert_eq!(serving.bodies().len(), 1);
    serving.client.close().await;
}

#[tokio::test]
async fn an_end_during_the_pause_is_logged_without_another_attempt() {
    let mut serving = Serving::start([Step::status(429).header("retry-after", "9"), Step::text("never asked")]).await;
    serving.client.prompt("ended", "hello").await;
    serving.client.wait_for("the pause", |frame| frame.kind() == "llm/retry").await;
    assert_eq!(serving.client.request("shutdown", &json!({})).await, Ok(json!({})));
    assert_eq!(serving.client.end().await.status, 0);
    let log = serving.place.log("ended");
    let last: Vec<&str> = log.kinds().into_iter().rev().take(3).collect();
    assert_eq!(last, ["turn/end", "step/end", "llm/retry"]);
    assert_eq!(log.events.last().unwrap()["data"]["reason"], json!({ "kind": "aborted", "reason": { "kind": "disposed" } }));
    assert_eq!(serving.server.requests().len(), 1);
}
