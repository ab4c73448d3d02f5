//! Frames of a client that are huge, binary, nested without end, out of order, or many at once. Malformed ones of all kinds are the
//! matter of the product's own tests (`tests/product/tests/serve/framing.rs`).

use dsh_product_tests::{Client, Place, binary};
use dsh_testkit::Step;
use serde_json::{Value, json};

use crate::scene::{NOWHERE, Scene, assert_completed};

/// A process that nobody has initialised.
fn started() -> (Place, Client) {
    let place = Place::new();
    let client = Client::start(place.command(&binary("minimal"), NOWHERE));
    (place, client)
}

/// Sees that a request is still answered, that nothing else was said since, and that it ends in order.
async fn goes_on(place: &Place, mut client: Client) {
    let from = client.seen.len();
    let id = client.ask("after", &json!({})).await;
    let error = client.answer(id).await.unwrap_err();
    assert_eq!(error["message"], "unknown DeepSeek Harness SDK runtime method: after");
    assert_eq!(client.seen.len(), from + 1, "{:?}", &client.seen[from..]);
    assert_eq!(client.close().await.status, 0);
    assert!(!place.sessions().exists(), "no session was made");
}

#[tokio::test]
async fn a_line_beyond_the_limit_is_passed_over_and_told_on_stderr() {
    let (place, mut client) = started();
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..65 {
        client.send(&piece).await;
    }
    client.send(b"\n").await;
    let id = client.ask("after", &json!({})).await;
    assert!(client.answer(id).await.is_err());
    let ended = client.close().await;
    assert_eq!(ended.status, 0);
    assert!(ended.stderr.contains("too long"), "{}", ended.stderr);
    assert!(!place.sessions().exists());
}

#[tokio::test]
async fn binary_input_is_passed_over() {
    let (place, mut client) = started();
    let bytes: Vec<u8> = (0..=255_u8).cycle().take(100_000).collect();
    client.send(&bytes).await;
    client.send(b"\n\x00\x00\n\xff\xfe{\n\x1b[2J\n").await;
    goes_on(&place, client).await;
}

#[tokio::test]
async fn an_array_of_requests_is_passed_over() {
    let (place, mut client) = started();
    client.send(b"[{\"id\":1,\"method\":\"shutdown\"},{\"id\":2,\"method\":\"initialize\"}]\n").await;
    goes_on(&place, client).await;
}

#[tokio::test]
async fn nesting_without_end_is_passed_over_or_refused() {
    let (place, mut client) = started();
    let deep = "[".repeat(1_000_000);
    client.send(format!("{deep}\n{{\"id\":1,\"method\":{deep}\n").as_bytes()).await;
    goes_on(&place, client).await;

    let mut scene = Scene::start([Step::text("done")]).await;
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let frame =
        format!(r#"{{"id":"deep","method":"session/prompt","params":{{"sessionId":"s","contentBlocks":[{{"type":"x","a":{nested}}}]}}}}"#);
    scene.client.send((frame + "\n").as_bytes()).await;
    let refused = scene.client.wait_for("a refusal", |frame| frame.value["id"] == "deep").await;
    assert_eq!(refused.value["error"]["message"], "`contentBlocks` is nested too deeply");
    assert_completed(&scene.turn("s", "the id is free").await);
    scene.close().await;
}

#[tokio::test]
async fn an_object_with_very_many_members_is_read_in_time() {
    let mut scene = Scene::start([Step::text("never asked")]).await;
    let members: Vec<String> = (0..100_000).map(|number| format!("\"k{number}\":{number}")).collect();
    let block = format!(r#"{{"type":"hologram",{}}}"#, members.join(","));
    let frame = format!(r#"{{"id":"wide","method":"session/prompt","params":{{"sessionId":"s","contentBlocks":[{block}]}}}}"#);
    scene.client.send((frame + "\n").as_bytes()).await;
    let answer = scene.client.wait_for("an answer", |frame| frame.value["id"] == "wide").await;
    assert!(answer.value["result"]["messageId"].is_string(), "{}", answer.text);
    scene.client.wait_for("the turn to fail", |frame| frame.is_idle("s")).await;
    scene.close().await;
}

#[tokio::test]
async fn requests_in_the_wrong_order_get_an_error_each() {
    let (place, mut client) = started();
    for (method, params) in [
        ("session/prompt", json!({ "sessionId": "s", "contentBlocks": [{ "type": "text", "text": "early" }] })),
        ("session/resume", json!({ "sessionId": "s" })),
        ("session/wait", json!({ "sessionId": "s" })),
        ("session/working-directory/get", json!({ "sessionId": "s" })),
    ] {
        let error = client.request(method, &params).await.unwrap_err();
        assert_eq!(error["message"], "SDK server is not initialized", "{method}");
    }
    client.initialize(&place.workspace()).await;
    for (method, told) in [("session/resume", "session \"s\" not found"), ("session/wait", "session \"s\" not found")] {
        let error = client.request(method, &json!({ "sessionId": "s" })).await.unwrap_err();
        assert_eq!(error["message"], told, "{method}");
    }
    goes_on(&place, client).await;
}

#[tokio::test]
async fn ids_of_sessions_that_are_no_names_are_refused() {
    let mut scene = Scene::start([Step::text("never asked")]).await;
    for id in [json!(""), json!(5), Value::Null, json!(["s"]), json!("{{surrogate:d800}}")] {
        for method in ["session/prompt", "session/resume", "session/wait", "session/working-directory/get"] {
            let params = json!({ "sessionId": id, "contentBlocks": [] });
            let error = scene.client.request(method, &params).await.unwrap_err();
            assert_eq!(error["message"], "`sessionId` must be a non-empty string without lone surrogates", "{method} {id}");
        }
    }
    assert!(!scene.place.sessions().exists());
    scene.close().await;
}

#[tokio::test]
async fn ids_of_sessions_that_look_like_paths_stay_in_the_store() {
    let ids = ["../../escape", "/etc/passwd", "a/b", "..", ".", "C:\\x", "new\nline", "nul\u{0}", &"long".repeat(1000)];
    let mut scene = Scene::start([Step::text("done")]).await;
    for id in ids {
        let params = json!({ "sessionId": id, "contentBlocks": [{ "type": "text", "text": "hello" }] });
        match scene.client.request("session/prompt", &params).await {
            Ok(_) => drop(scene.client.wait_for("the session to be idle", |frame| frame.is_idle(id)).await),
            // No file can have its name.
            Err(error) => assert!(error["message"].as_str().is_some_and(|message| message.contains("name")), "{id}: {error}"),
        }
    }
    let (place, _) = scene.close().await;
    assert_eq!(place.files_beside_sessions(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn more_requests_than_may_wait_are_refused_and_none_is_forgotten() {
    let mut scene = Scene::start([Step::text("never said").delay(std::time::Duration::from_secs(300))]).await;
    scene.client.prompt("s", "work").await;
    let mut ids = Vec::new();
    for _ in 0..1100 {
        ids.push(scene.client.ask("session/wait", &json!({ "sessionId": "s" })).await);
    }
    let refused =
        scene.client.wait_for("a refusal", |frame| frame.value["error"]["message"] == "too many requests are open; wait for answers").await;
    assert!(ids.contains(&refused.value["id"].as_u64().unwrap()));
    let shutdown = scene.client.ask("shutdown", &json!({})).await;
    assert_eq!(scene.client.answer(shutdown).await, Ok(json!({})));
    let ended = scene.client.end().await;
    assert_eq!(ended.status, 0);
    for id in ids {
        assert_eq!(ended.frames.iter().filter(|frame| frame.value["id"] == id).count(), 1, "request {id} has one answer");
    }
}
