//! Requests that are refused and turns that fail: what a client is told, and that the session goes on.

use dsh_product_tests::{Client, Place, binary, events_of};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};

use crate::{Serving, ends, results};

/// The code of the failure with which a turn ended.
fn failure(events: &[Value]) -> &Value {
    let reason = ends(events)[0];
    assert_eq!(reason["kind"], "error", "{reason}");
    &reason["error"]["code"]
}

#[tokio::test]
async fn without_a_key_it_starts_and_the_turn_fails() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("never asked")])).await;
    for empty in [false, true] {
        let mut command = place.command(&binary("minimal"), &server.url());
        if empty {
            command.env("DEEPSEEK_API_KEY", "");
        } else {
            command.env_remove("DEEPSEEK_API_KEY");
        }
        let mut client = Client::start(command);
        client.initialize(&place.workspace()).await;
        let session = format!("keyless-{empty}");
        let events = events_of(&client.turn(&session, "hello").await, &session);
        assert_eq!(failure(&events), "MISSING_CREDENTIAL");
        let message = ends(&events)[0]["error"]["message"].as_str().unwrap();
        assert!(message.contains("DEEPSEEK_API_KEY"), "the message says what to set: {message}");
        assert_eq!(client.close().await.status, 0);
    }
    assert_eq!(server.requests(), []);
}

#[tokio::test]
async fn an_unknown_provider_is_refused_and_a_known_one_still_works() {
    let mut serving = Serving::start([Step::text("done")]).await;
    let params = json!({ "cwd": serving.place.workspace(), "provider": "nobody", "model": "m" });
    let error = serving.client.request("initialize", &params).await.unwrap_err();
    assert_eq!(error, json!({ "code": -32603, "message": "no adapter registered for provider \"nobody\"" }));
    assert_eq!(ends(&serving.turn("still", "hello").await), [&json!({ "kind": "completed" })]);
    serving.client.close().await;
}

#[tokio::test]
async fn before_initialize_nothing_is_done_for_a_session() {
    let mut serving = Serving::uninitialized(Place::new(), Script::new([Step::text("done")])).await;
    for method in ["session/prompt", "session/resume", "session/wait", "session/working-directory/get"] {
        let params = json!({ "sessionId": "early", "contentBlocks": [] });
        let error = serving.client.request(method, &params).await.unwrap_err();
        assert_eq!(error, json!({ "code": -32603, "message": "SDK server is not initialized" }), "{method}");
    }
    serving.client.initialize(&serving.place.workspace()).await;
    assert_eq!(ends(&serving.turn("early", "hello").await), [&json!({ "kind": "completed" })]);
    serving.client.close().await;
}

#[tokio::test]
async fn prompts_that_cannot_be_read_are_refused_and_later_ones_run() {
    let mut serving = Serving::start([Step::text("done")]).await;
    let text = json!([{ "type": "text", "text": "hello" }]);
    for params in [
        json!({ "sessionId": "s" }),
        json!({ "sessionId": "s", "contentBlocks": "hello" }),
        json!({ "sessionId": 5, "contentBlocks": text }),
        json!({ "sessionId": "", "contentBlocks": text }),
        json!({ "contentBlocks": text }),
        json!({}),
    ] {
        let error = serving.client.request("session/prompt", &params).await.unwrap_err();
        assert_eq!(error["code"], -32603, "{params}");
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{params}");
    }
    assert!(!serving.place.sessions().exists(), "no session was made");
    assert_eq!(ends(&serving.turn("s", "hello").await), [&json!({ "kind": "completed" })]);
    let id = serving.client.ask("shutdown", &json!({})).await;
    assert_eq!(serving.client.answer(id).await, Ok(json!({})), "a refused empty id does not stand in the way of an end in order");
    assert_eq!(serving.client.end().await.status, 0);
}

#[tokio::test]
async fn an_unknown_kind_of_content_fails_the_turn_and_not_the_session() {
    let mut serving = Serving::start([Step::text("done")]).await;
    for block in [json!({ "type": "hologram", "depth": 3 }), json!({ "type": "image", "data": "AAA", "mimeType": "image/png" })] {
        let session = format!("odd-{}", block["type"].as_str().unwrap());
        let params = json!({ "sessionId": session, "contentBlocks": [block] });
        serving.client.request("session/prompt", &params).await.expect("what the block means is found out when it is used");
        serving.client.wait_for("the turn to fail", |frame| frame.is_idle(&session)).await;
        let events = events_of(&serving.client.seen, &session);
        assert_eq!(failure(&events), "UNSUPPORTED_CONTENT");
        let inserted = &events[0]["data"]["inserted"][0]["content"];
        assert_eq!(inserted, &json!([block]), "what came is logged as it came");
    }
    assert_eq!(serving.bodies().len(), 0);
    serving.client.close().await;
}

#[tokio::test]
async fn failures_of_the_model_server_end_the_turn_with_their_code() {
    let balance = json!({ "error": { "message": "Insufficient Balance" } }).to_string();
    let failures = [
        (Step::status(400), "INVALID_REQUEST", json!(400)),
        (Step::status(401), "AUTH", json!(401)),
        (Step::status(402).body(&balance), "QUOTA", json!(402)),
        // A longer pause than is waited for.
        (Step::status(429).header("retry-after", "3600"), "RATE_LIMIT", json!(429)),
        (Step::raw(["data: {oops\n\n"]), "MALFORMED_RESPONSE", Value::Null),
    ];
    let steps: Vec<Step> = failures.iter().map(|(step, ..)| step.clone()).chain([Step::text("at last")]).collect();
    let mut serving = Serving::start(steps).await;
    for (_, code, status) in &failures {
        let events = serving.turn("failing", "hello").await;
        assert_eq!(failure(&events), code);
        assert_eq!(ends(&events)[0]["error"]["status"], *status, "{code}");
    }
    assert_eq!(ends(&serving.turn("failing", "hello").await), [&json!({ "kind": "completed" })]);
    serving.client.close().await;
}

#[tokio::test]
async fn tools_that_fail_tell_the_model_and_the_turn_goes_on() {
    let calls = Step::tool("bash", &json!({ "command": "echo out; exit 3" }))
        .and_tool("nonsense", "{}")
        .and_tool("bash", r#"{"command": 5}"#)
        .and_tool("bash", "{oops");
    let mut serving = Serving::start([calls, Step::tool("bash", &json!({ "command": "echo fresh" })), Step::text("survived")]).await;
    let events = serving.turn("failing", "try").await;
    let texts = results(&events);
    assert!(texts[0].starts_with("out\n") && texts[0].contains("[shell exited: code 3]"), "{}", texts[0]);
    assert_eq!(texts[1], "Error: unknown tool \"nonsense\"");
    assert!(texts[2].starts_with("Error: invalid arguments:") && texts[3].starts_with("Error: invalid arguments:"), "{texts:?}");
    assert_eq!(texts[4], "fresh");
    let flags: Vec<&Value> = events
        .iter()
        .filter(|event| event["type"] == "tool/result")
        .map(|event| &event["data"]["message"]["content"][0]["isError"])
        .collect();
    assert_eq!(flags, [false, true, true, true, false]);
    assert_eq!(ends(&events), [&json!({ "kind": "completed" })]);
    serving.client.close().await;
}
