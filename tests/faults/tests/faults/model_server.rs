//! A model server that is down, slow, silent, unwilling or does not speak the protocol.

use std::time::Duration;

use dsh_product_tests::{Place, binary};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};

use crate::scene::{NOWHERE, Scene, asking_once, assert_completed, assert_told, end, failure, impatient, run_in};
use crate::wire_server::{Answer, WireServer, answer, head};

/// The message of the failure with which a turn ends that is served so.
async fn message(answer: Answer, code: &str) -> String {
    let wire = WireServer::start(answer).await;
    let place = Place::new();
    // Nothing is asked of it: the binary goes to the other one.
    let server = MockServer::start(Script::new([Step::text("never said")])).await;
    let command = asking_once(&place, &binary("minimal"), &wire.url);
    let mut scene = Scene::start_as(command, place, server).await;
    let events = scene.turn("s", "hello").await;
    let message = failure(&events, code)["message"].as_str().unwrap().to_owned();
    assert_told(&message, &[&format!("{}/chat/completions", wire.url)]);
    assert!(message.len() < 600, "it is short: {message}");
    scene.close().await;
    message
}

#[tokio::test]
async fn a_server_that_is_down_is_named() {
    let place = Place::new();
    let ended = run_in(&place, NOWHERE, &["task"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (4, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, &["TRANSPORT", "http://127.0.0.1:9/chat/completions", "Connection refused"]);
    assert_eq!(place.logs().len(), 1, "the task is on record");
}

#[tokio::test]
async fn a_server_whose_name_or_address_is_wrong_is_named_without_its_query() {
    for (url, told) in [
        ("http://models.invalid/v1?password=hunter2", "http://models.invalid/v1"),
        ("nonsense", "nonsense"),
        ("http://ada:hunter2@127.0.0.1:9", "must not hold a user name or password"),
    ] {
        let place = Place::new();
        let ended = run_in(&place, url, &["task"]).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (4, ""), "{url}: {}", ended.stderr);
        assert_told(&ended.stderr, &[told]);
        assert!(!ended.stderr.contains("hunter2"), "{}", ended.stderr);
    }
}

#[tokio::test]
async fn a_slow_server_is_waited_for() {
    let event = |delta: &str| format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{delta}}}]}}\n\n").into_bytes();
    let mut pieces = vec![head("text/event-stream"), b": still here\n".to_vec(), b"\n".to_vec()];
    pieces.extend([event(r#"{"content":"slow"}"#), b"data: [DO".to_vec(), b"NE]\n\n".to_vec()]);
    let wire = WireServer::start(Answer::Slow { pieces, pause: Duration::from_millis(150) }).await;
    let (place, server) = (Place::new(), MockServer::start(Script::new([Step::text("never said")])).await);
    // Each pause is shorter than the longest silence, all together are longer.
    let command = asking_once(&place, &impatient(), &wire.url);
    let mut scene = Scene::start_as(command, place, server).await;
    assert_completed(&scene.turn("s", "hello").await);
    scene.close().await;
}

#[tokio::test]
async fn a_silent_server_is_given_up_after_the_set_time() {
    let silences = [Step::text("half a sen").stall(), Step::text("never said").delay(Duration::from_secs(300)), Step::text("done")];
    let mut scene = Scene::start_impatient(silences).await;
    for session in ["in mid-stream", "before its head"] {
        let events = scene.turn(session, "hello").await;
        let message = failure(&events, "TIMEOUT")["message"].as_str().unwrap();
        assert_told(message, &[&scene.server.url(), "silent for 500 ms"]);
    }
    assert_completed(&scene.turn("in mid-stream", "again").await);
    scene.close().await;
}

#[tokio::test]
async fn statuses_become_codes_and_the_session_goes_on() {
    let refusals = [
        (400, "INVALID_REQUEST"),
        (402, "HTTP_402"),
        (403, "AUTH"),
        (404, "HTTP_404"),
        (413, "INVALID_REQUEST"),
        (307, "HTTP_307"),
        (500, "SERVER"),
        (503, "SERVER"),
    ];
    let steps = refusals.map(|(status, _)| Step::status(status).header("location", "http://127.0.0.1:9/elsewhere"));
    let mut scene = Scene::start(steps.into_iter().chain([Step::text("at last")])).await;
    for (status, code) in refusals {
        let events = scene.turn("s", "hello").await;
        let error = failure(&events, code);
        assert_eq!(error["status"], status);
        assert_told(error["message"].as_str().unwrap(), &[&scene.server.url(), &status.to_string(), "mock error"]);
    }
    assert_completed(&scene.turn("s", "again").await);
    let last = scene.server.requests().pop().unwrap().body();
    assert_eq!(last["messages"].as_array().unwrap().len(), 1 + refusals.len() + 1, "what was said to a failed model is said again");
    scene.close().await;
}

#[tokio::test]
async fn a_server_that_asks_to_wait_is_recorded_with_its_time() {
    let slow = Step::status(429).header("retry-after", "7").header("x-request-id", "r-1").body(r#"{"error":{"message":"slow down"}}"#);
    let mut scene = Scene::start([slow, Step::text("done")]).await;
    let events = scene.turn("s", "hello").await;
    let error = failure(&events, "RATE_LIMIT");
    let told = (&error["status"], &error["providerRetryAfterMs"], &error["requestId"]);
    assert_eq!(told, (&json!(429), &json!(7000), &json!("r-1")));
    assert_completed(&scene.turn("s", "again").await);
    scene.close().await;
}

#[tokio::test]
async fn a_reply_that_is_cut_keeps_what_came_and_counts_as_none() {
    let cut = Step::text("half a sentence").and_tool("bash", r#"{"command":"touch made"}"#).pieces(3).cut();
    let mut scene = Scene::start([cut, Step::text("done")]).await;
    let events = scene.turn("s", "hello").await;
    assert_told(failure(&events, "TRANSPORT")["message"].as_str().unwrap(), &[&scene.server.url()]);
    assert!(events.iter().any(|event| event["data"]["chunk"]["text"] == "half "), "what came is on record");
    assert!(!scene.place.workspace().join("made").exists(), "a call that was not finished does not run");
    assert_completed(&scene.turn("s", "again").await);
    let roles: Vec<Value> =
        scene.server.requests()[1].body()["messages"].as_array().unwrap().iter().map(|said| said["role"].clone()).collect();
    assert_eq!(roles, ["system", "user", "user"], "half a reply is not sent back");
    scene.close().await;
}

#[tokio::test]
async fn a_connection_that_closes_before_an_answer_is_a_failure_of_transport() {
    message(Answer::Nothing, "TRANSPORT").await;
    message(Answer::Bytes(Vec::new()), "TRANSPORT").await;
    message(Answer::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\ndata: {".to_vec()), "TRANSPORT").await;
}

#[tokio::test]
async fn garbage_in_place_of_http_is_a_failure_of_transport() {
    message(Answer::Bytes(b"\x00\x01\xff garbage\r\n\r\n".to_vec()), "TRANSPORT").await;
    message(Answer::Bytes(b"SSH-2.0-OpenSSH_9.9\r\n".to_vec()), "TRANSPORT").await;
}

#[tokio::test]
async fn garbage_in_the_stream_is_quoted_in_part() {
    let body = format!("data: {{\"choices\": \u{1b}[2J{}\n\n", "x".repeat(100_000));
    let wire = WireServer::start(answer("text/event-stream", body.as_bytes())).await;
    let place = Place::new();
    let ended = run_in(&place, &wire.url, &["task"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (4, ""));
    assert_told(&ended.stderr, &["MALFORMED_RESPONSE", "cannot be read", "\"choices\""]);
    assert!(ended.stderr.len() < 1000, "{}", ended.stderr);
    assert!(!ended.stderr.contains('\u{1b}'), "a terminal is not told to do things: {:?}", ended.stderr);
}

#[tokio::test]
async fn bytes_that_are_no_text_do_not_stop_it() {
    let mut scene = Scene::start([Step::text("unused")]).await;
    let (url, body) = (scene.server.url(), b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xff\xfe\"}}]}\n\ndata: \x00\x01\n\n".to_vec());
    let _ = url;
    let wire = WireServer::start(answer("text/event-stream", &body)).await;
    let ended = run_in(&scene.place, &wire.url, &["task"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (4, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, &["MALFORMED_RESPONSE"]);
    assert_completed(&scene.turn("s", "another process is not concerned").await);
}

#[tokio::test]
async fn a_page_in_place_of_a_stream_is_told_with_its_type_and_beginning() {
    let page = b"<!doctype html><title>Sign in to the network</title>";
    let message = message(answer("text/html; charset=utf-8", page), "MALFORMED_RESPONSE").await;
    assert_told(&message, &["`text/html; charset=utf-8`", "instead of a stream of events", "Sign in to the network"]);
}

#[tokio::test]
async fn an_error_in_place_of_a_stream_is_told_in_the_servers_words() {
    let body = json!({ "error": { "message": "Insufficient Balance" } }).to_string();
    let mut scene = Scene::start([Step::page("application/json", &body)]).await;
    let events = scene.turn("s", "hello").await;
    assert_told(failure(&events, "QUOTA")["message"].as_str().unwrap(), &["Insufficient Balance"]);
    scene.close().await;
}

#[tokio::test]
async fn an_empty_answer_is_told_as_empty() {
    let bodies =
        [Step::raw([]), Step::text(""), Step::raw(["data: {\"choices\":[]}\n\ndata: [DONE]\n\n"]), Step::page("text/event-stream", "")];
    let mut scene = Scene::start(bodies).await;
    for session in ["no body", "no words", "no choice", "length zero"] {
        failure(&scene.turn(session, "hello").await, "EMPTY_RESPONSE");
    }
    scene.close().await;
}

#[tokio::test]
async fn a_stream_that_ends_too_early_is_told_as_closed() {
    let mut scene = Scene::start([Step::raw(["data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n"])]).await;
    let events = scene.turn("s", "hello").await;
    assert_told(failure(&events, "STREAM_CLOSED")["message"].as_str().unwrap(), &["broke off"]);
    scene.close().await;
}

#[tokio::test]
async fn an_event_without_end_is_given_up() {
    let endless = Answer::Endless { head: [head("text/event-stream").as_slice(), b"data: "].concat(), piece: vec![b'x'; 1 << 20] };
    let wire = WireServer::start(endless).await;
    let place = Place::new();
    let ended = run_in(&place, &wire.url, &["task"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (4, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, &["MALFORMED_RESPONSE", "too large"]);
}

#[tokio::test]
async fn a_reply_without_end_is_given_up() {
    let piece = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n", "x".repeat(4 << 20));
    let wire = WireServer::start(Answer::Endless { head: head("text/event-stream"), piece: piece.into_bytes() }).await;
    let place = Place::new();
    let ended = run_in(&place, &wire.url, &["--quiet", "task"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (4, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, &["MALFORMED_RESPONSE", "larger than 32 MiB"]);
}

#[tokio::test]
async fn a_cancelled_wait_leaves_no_failure_behind() {
    let mut scene = Scene::start([Step::text("never said").delay(Duration::from_secs(300))]).await;
    scene.client.prompt("s", "hello").await;
    scene.server.wait_for_requests(1).await;
    let (place, _) = {
        let Scene { place, client, .. } = scene;
        (place, assert_eq!(client.close().await.status, 0))
    };
    assert_eq!(end(&place.log("s").events), &json!({ "kind": "aborted", "reason": { "kind": "disposed" } }));
}
