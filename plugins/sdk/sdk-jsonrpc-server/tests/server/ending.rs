//! The end of serving, and clients that misbehave.

use std::sync::Arc;

use dsh_message::{ContentBlock, Message, MessageSource};
use dsh_runtime::Exit;
use dsh_session::catalogue::UserMessage;
use dsh_session::{Appended, SurfaceOp};
use dsh_testkit::Reply;
use serde_json::json;

use crate::client::gist;
use crate::world::World;

#[tokio::test]
async fn nothing_is_told_after_shutdown_and_the_log_has_the_end() {
    let root = tempfile::tempdir().unwrap();
    let world = World::storing(root.path(), [Reply::unfinished("half")]).await;
    let (mut client, serving) = world.client().await;
    client.prompt("p", "s", "hi").await;
    client.until(|frame| gist(frame) == "assistant/chunk" && frame["params"]["event"]["data"]["chunk"]["type"] == "text-delta").await;
    client.send("e", "shutdown", json!(null)).await;
    assert_eq!(client.raw().await.unwrap(), r#"{"jsonrpc":"2.0","id":"e","result":{}}"#);
    assert_eq!(serving.await.unwrap(), Exit::COMPLETED);
    let log = world.persistence.as_ref().unwrap().locate("s".into()).await.unwrap();
    world.teardown().await;
    assert_eq!(client.raw().await, None);
    let log = std::fs::read_to_string(log).unwrap();
    let last = log.lines().last().unwrap();
    assert!(
        last.contains(r#""type":"turn/end""#) && last.ends_with(r#""reason":{"kind":"aborted","reason":{"kind":"disposed"}}}}"#),
        "{last}"
    );
}

#[tokio::test]
async fn what_waits_and_what_comes_late_is_answered() {
    let world = World::new([Reply::unfinished("half")]).await;
    let (mut client, serving) = world.client().await;
    client.prompt("p", "s", "hi").await;
    client.result("p").await;
    client.send("w", "session/wait", json!({ "sessionId": "s" })).await;
    let line = |id: &str, method: &str| format!("{{\"id\":\"{id}\",\"method\":\"{method}\"}}\n");
    client.bytes((line("e1", "shutdown") + &line("e2", "shutdown") + &line("late", "initialize")).as_bytes()).await;
    assert_eq!(serving.await.unwrap(), Exit::COMPLETED);
    let mut answers: Vec<_> = client.rest().await.into_iter().filter(|frame| frame.get("id").is_some()).collect();
    answers.sort_by_key(|answer| answer["id"].to_string());
    let refused = |id: &str| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32603, "message": "SDK server is shutting down" } });
    let done = |id: &str| json!({ "jsonrpc": "2.0", "id": id, "result": {} });
    assert_eq!(answers, [done("e1"), done("e2"), refused("late"), refused("w")]);
}

#[tokio::test]
async fn the_end_of_input_and_of_the_process_end_serving() {
    let world = World::new([Reply::unfinished("half")]).await;
    let (mut client, serving) = world.client().await;
    client.prompt("p", "s", "hi").await;
    client.result("p").await;
    client.end().await;
    assert_eq!(serving.await.unwrap(), Exit::COMPLETED);
    world.teardown().await;

    let world = World::new([]).await;
    let (_client, serving) = world.client().await;
    world.ask_to_end();
    assert_eq!(serving.await.unwrap(), Exit::COMPLETED);
    world.teardown().await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_given_up() {
    let world = World::new([Reply::text("done")]).await;
    let (mut client, serving) = world.client().await;
    client.prompt("p", "s", "hi").await;
    client.until_idle("s").await;
    let session = Arc::clone(world.agents.get(&"s".into()).unwrap().session());
    let message = Message::user("m".into(), vec![ContentBlock::text("x".repeat(5_000_000))], MessageSource::User);
    let event = session.append_message(&UserMessage(Arc::new(message)), SurfaceOp::Append, None).unwrap();
    // The same event again and again stands for many.
    let appended = Appended { session, event };
    for _ in 0..20 {
        world.sessions.topics.appended.dispatcher().emit(&appended).unwrap();
    }
    assert_eq!(serving.await.unwrap(), Exit::GAVE_UP);
}

#[tokio::test]
async fn open_requests_are_counted() {
    let world = World::new([Reply::unfinished("half")]).await;
    let (mut client, _serving) = world.client().await;
    client.prompt("p", "s", "hi").await;
    client.result("p").await;
    for _ in 0..1024 {
        client.send("w", "session/wait", json!({ "sessionId": "s" })).await;
    }
    client.send("over", "session/wait", json!({ "sessionId": "s" })).await;
    assert_eq!(client.error("over").await, "too many requests are open; wait for answers");
}
