//! Sessions that an earlier process stored.

use std::fs;

use dsh_product_tests::{Client, Place, Signal, binary, events_of};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};

use crate::{ends, results, shell};

async fn start(place: &Place, server: &MockServer) -> Client {
    let mut client = Client::start(place.command(&binary("minimal"), &server.url()));
    client.initialize(&place.workspace()).await;
    client
}

#[tokio::test]
async fn a_stored_session_is_continued_once_it_is_resumed() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("the word is amber"), Step::text("amber")])).await;
    let mut client = start(&place, &server).await;
    client.turn("stored", "say a word").await;
    assert_eq!(client.close().await.status, 0);
    let before = fs::read_to_string(place.log_path("stored")).unwrap();

    let mut client = start(&place, &server).await;
    let prompt = json!({ "sessionId": "stored", "contentBlocks": [{ "type": "text", "text": "which word?" }] });
    let error = client.request("session/prompt", &prompt).await.unwrap_err();
    assert_eq!(error["message"], "session \"stored\" already exists");
    assert_eq!(fs::read_to_string(place.log_path("stored")).unwrap(), before, "a refusal changes nothing");

    assert_eq!(client.request("session/resume", &json!({ "sessionId": "stored" })).await, Ok(json!({})));
    let error = client.request("session/resume", &json!({ "sessionId": "stored" })).await.unwrap_err();
    assert_eq!(error["message"], "SDK session is already open or opening: stored");
    let error = client.request("session/resume", &json!({ "sessionId": "never" })).await.unwrap_err();
    assert_eq!(error["message"], "session \"never\" not found");

    let events = events_of(&client.turn("stored", "which word?").await, "stored");
    assert_eq!(client.close().await.status, 0);
    let header = events.iter().find(|event| event["type"] == "request/header").unwrap();
    assert_eq!(header["data"]["reason"], "resume");
    assert_eq!(events.iter().find(|event| event["type"] == "turn/start").unwrap()["data"]["turn"], 2);
    let asked: Vec<Value> =
        server.requests()[1].body()["messages"].as_array().unwrap().iter().map(|message| message["content"].clone()).collect();
    assert_eq!(asked[1..], ["say a word", "the word is amber", "which word?"], "the model is told what was said before");
    let after = fs::read_to_string(place.log_path("stored")).unwrap();
    assert!(after.starts_with(&before) && after.len() > before.len(), "a log only grows");
}

#[tokio::test]
async fn a_session_whose_process_was_killed_in_mid_tool_is_repaired() {
    let place = Place::new();
    let server = MockServer::start(Script::new([shell("echo $$ > shell.pid; sleep 300"), Step::text("going on")])).await;
    let mut client = start(&place, &server).await;
    client.prompt("killed", "wait").await;
    client.wait_for("the tool to be called", |frame| frame.kind() == "tool/call").await;
    place.wait_until_runs("sleep 300").await;
    client.signal(Signal::KILL);
    assert_eq!(client.end().await.status, 128 + 9);
    let before = place.log("killed");
    assert_eq!(before.kinds().last(), Some(&"tool/call"), "what was told is there after the kill");
    // The shell loses its terminal.
    place.wait_until_nothing_runs().await;

    let mut client = start(&place, &server).await;
    assert_eq!(client.request("session/resume", &json!({ "sessionId": "killed" })).await, Ok(json!({})));
    let told = client.seen.iter().filter(|frame| frame.method() == Some("session.event")).count();
    let events = events_of(&client.turn("killed", "go on").await, "killed");
    assert_eq!(client.close().await.status, 0);
    assert_eq!(told, 0, "the repair is not told");
    assert_eq!(ends(&events), [&json!({ "kind": "completed" })]);

    let log = place.log("killed");
    let (kept, added) = log.events.split_at(before.events.len());
    assert_eq!(kept, before.events);
    let closers: Vec<&str> = added.iter().take(3).filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(closers, ["tool/result", "step/end", "turn/end"]);
    assert_eq!(added[0]["data"]["error"]["code"], "TOOL_OUTCOME_UNKNOWN");
    assert!(!results(&added[..1])[0].is_empty());
    assert_eq!(added[2]["data"]["reason"], json!({ "kind": "interrupted" }));
}

#[tokio::test]
async fn of_two_calls_the_one_that_never_started_is_told_apart() {
    let place = Place::new();
    let calls = shell("sleep 304").and_tool("bash", r#"{"command":"echo later"}"#);
    let server = MockServer::start(Script::new([calls, Step::text("going on")])).await;
    let mut client = start(&place, &server).await;
    client.prompt("killed", "wait").await;
    place.wait_until_runs("sleep 304").await;
    client.signal(Signal::KILL);
    client.end().await;
    place.wait_until_nothing_runs().await;
    let before = place.log("killed").events.len();

    let mut client = start(&place, &server).await;
    assert_eq!(client.request("session/resume", &json!({ "sessionId": "killed" })).await, Ok(json!({})));
    client.turn("killed", "go on").await;
    assert_eq!(client.close().await.status, 0);
    let added = place.log("killed").events.split_off(before);
    let repaired: Vec<Value> =
        added.iter().take(4).map(|event| json!([event["type"], event["data"]["error"]["code"], event["sourceEventSeqs"]])).collect();
    let expected = [
        json!(["tool/result", "TOOL_OUTCOME_UNKNOWN", [before - 1]]),
        json!(["tool/result", "TOOL_NOT_STARTED", null]),
        json!(["step/end", null, null]),
        json!(["turn/end", null, null]),
    ];
    assert_eq!(repaired, expected);
    let messages = server.requests()[1].body()["messages"].clone();
    let told: Vec<&Value> = messages.as_array().unwrap().iter().filter(|message| message["role"] == "tool").collect();
    assert_eq!(told.len(), 2, "the model is told of both: {messages}");
}
