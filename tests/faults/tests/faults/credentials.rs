//! Keys that are missing, unusable or refused, and providers that nobody serves.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use dsh_product_tests::{Client, KEY, Place, binary, events_of, run_to_end};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::json;

use crate::scene::{Scene, assert_completed, assert_told, failure, run_in};

#[tokio::test]
async fn a_missing_key_is_told_before_the_model_is_asked() {
    for key in [None, Some(""), Some("  ")] {
        let place = Place::new();
        let server = MockServer::start(Script::new([Step::text("never said")])).await;
        let mut command = place.command(&binary("minimal"), &server.url());
        command.arg("run").arg("task").env_remove("DEEPSEEK_API_KEY").envs(key.map(|key| ("DEEPSEEK_API_KEY", key)));
        let ended = run_to_end(command).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{key:?}: {}", ended.stderr);
        assert_told(&ended.stderr, &["MISSING_CREDENTIAL", "set the environment variable DEEPSEEK_API_KEY"]);
        assert_eq!(server.requests(), []);
    }
}

#[tokio::test]
async fn a_key_that_no_header_can_hold_is_not_sent_and_not_shown() {
    for key in [&b"sk-with\nline"[..], "sk-ключ".as_bytes(), b"sk-\xff"] {
        let place = Place::new();
        let server = MockServer::start(Script::new([Step::text("never said")])).await;
        let mut command = place.command(&binary("minimal"), &server.url());
        command.arg("run").arg("task").env("DEEPSEEK_API_KEY", OsStr::from_bytes(key));
        let ended = run_to_end(command).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
        assert_told(&ended.stderr, &["INVALID_CREDENTIAL", "DEEPSEEK_API_KEY"]);
        assert!(!ended.stderr.contains("sk-"), "{}", ended.stderr);
        assert_eq!(server.requests(), []);
    }
}

#[tokio::test]
async fn a_refused_key_is_told_without_the_key_that_the_server_repeats() {
    let body = json!({ "error": { "message": format!("no such key: {KEY}") } }).to_string();
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::status(401).body(&body)])).await;
    let ended = run_in(&place, &server.url(), &["task"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (4, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, &["AUTH", "401", "DEEPSEEK_API_KEY", "no such key: [API key]", &server.url()]);
    assert_eq!(server.requests().len(), 1, "a refused key is not tried again");
}

#[tokio::test]
async fn an_unknown_provider_is_refused_by_name() {
    let mut scene = Scene::start([Step::text("done")]).await;
    for (provider, told) in
        [("nobody", "no adapter registered for provider \"nobody\""), ("", "initialize provider must be a non-empty string")]
    {
        let params = json!({ "cwd": scene.place.workspace(), "provider": provider, "model": "m" });
        let error = scene.client.request("initialize", &params).await.unwrap_err();
        assert_eq!(error, json!({ "code": -32603, "message": told }));
    }
    assert_completed(&scene.turn("s", "what was set before holds").await);
    scene.close().await;
}

#[tokio::test]
async fn a_model_that_the_provider_does_not_know_ends_the_turn_in_its_words() {
    let place = Place::new();
    let body = json!({ "error": { "message": "Model Not Exist" } }).to_string();
    let server = MockServer::start(Script::new([Step::status(400).body(&body), Step::text("done")])).await;
    let mut client = Client::start(place.command(&binary("minimal"), &server.url()));
    let params = json!({ "cwd": place.workspace(), "provider": "deepseek-official", "model": "no-such-model" });
    client.request("initialize", &params).await.expect("any model may exist");
    let events = events_of(&client.turn("s", "hello").await, "s");
    let error = failure(&events, "INVALID_REQUEST");
    assert_told(error["message"].as_str().unwrap(), &["Model Not Exist", "400", &server.url()]);
    assert_eq!(server.requests()[0].body()["model"], "no-such-model");
    assert_completed(&events_of(&client.turn("s", "again").await, "s"));
    assert_eq!(client.close().await.status, 0);
}
