//! Stored sessions, and waiting for sessions.

use dsh_testkit::Reply;
use serde_json::json;

use crate::client::events;
use crate::world::World;

/// Runs one turn of the session `s` and tears everything down.
async fn store(root: &std::path::Path) -> usize {
    let world = World::storing(root, [Reply::text("done")]).await;
    let (mut client, serving) = world.client().await;
    client.prompt("p", "s", "hi").await;
    let frames = client.until_idle("s").await;
    client.send("e", "shutdown", json!({})).await;
    client.result("e").await;
    serving.await.unwrap();
    world.teardown().await;
    events(&frames, "s").len()
}

#[tokio::test]
async fn a_stored_session_is_taken_up_where_it_ended() {
    let root = tempfile::tempdir().unwrap();
    let length = store(root.path()).await;
    let world = World::storing(root.path(), [Reply::text("again")]).await;
    let (mut client, _serving) = world.client().await;
    client.prompt("p", "s", "hi").await;
    assert_eq!(client.error("p").await, "session \"s\" already exists");
    client.send("r", "session/resume", json!({ "sessionId": "s" })).await;
    assert_eq!(client.result("r").await, json!({}));
    client.send("r", "session/resume", json!({ "sessionId": "s" })).await;
    assert_eq!(client.error("r").await, "SDK session is already open or opening: s");
    client.prompt("q", "s", "more").await;
    let frames = client.until_idle("s").await;
    let events = events(&frames, "s");
    // The mark after the stored events is not told.
    assert_eq!(events[0]["seq"], json!(length + 1));
    let turn = events.iter().find(|event| event["type"] == "turn/start").unwrap();
    assert_eq!(turn["data"]["turn"], 2);
    let header = events.iter().find(|event| event["type"] == "request/header").unwrap();
    assert_eq!(header["data"]["reason"], "resume");
}

#[tokio::test]
async fn what_cannot_be_resumed_is_told() {
    let root = tempfile::tempdir().unwrap();
    let world = World::storing(root.path(), []).await;
    let (mut client, _serving) = world.client().await;
    client.send("r", "session/resume", json!({ "sessionId": "s" })).await;
    assert_eq!(client.error("r").await, "session \"s\" not found");
    client.send("r", "session/resume", json!({})).await;
    assert_eq!(client.error("r").await, "`sessionId` must be a non-empty string without lone surrogates");
    let path = root.path().join("--w--/broken/session.jsonl");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "{\"version\":3}\n").unwrap();
    client.send("r", "session/resume", json!({ "sessionId": "broken" })).await;
    let error = client.error("r").await;
    assert!(error.contains("format 3; this version reads format 0") && error.ends_with(&path.display().to_string()), "{error}");
}

#[tokio::test]
async fn without_a_store_nothing_is_resumed() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.client().await;
    client.send("r", "session/resume", json!({ "sessionId": "s" })).await;
    assert!(client.error("r").await.contains("no row of the composition stores sessions"));
}

#[tokio::test]
async fn waiting_ends_with_the_work() {
    let world = World::new([Reply::text("done")]).await;
    let (mut client, _serving) = world.client().await;
    client.send("w", "session/wait", json!({ "sessionId": "s" })).await;
    assert_eq!(client.error("w").await, "session \"s\" not found");
    client.prompt("p", "s", "hi").await;
    client.send("w", "session/wait", json!({ "sessionId": "s" })).await;
    let frames = client.until(|frame| frame["id"] == "w").await;
    assert_eq!(frames.last().unwrap()["result"], json!({}));
    assert!(frames.iter().any(|frame| frame["params"]["event"]["type"] == "turn/end"), "the turn ended before");
}
