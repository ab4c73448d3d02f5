//! Turns and sessions: what lasts from one to the next, and what is not shared.

use std::fs;

use dsh_product_tests::{Place, events_of};
use dsh_runtime::CancellationToken;
use dsh_testkit::{Script, Step};
use serde_json::{Value, json};

use crate::{Serving, ends, results, shell};

#[tokio::test]
async fn initialize_tells_who_serves() {
    let serving = Serving::start([Step::text("unused")]).await;
    let info = r#"{"serverInfo":{"name":"deepseek-harness-sdk-runtime","version":"0.0.1"}}"#;
    assert_eq!(serving.client.seen[0].text, format!(r#"{{"jsonrpc":"2.0","id":1,"result":{info}}}"#));
    assert_eq!(serving.client.close().await.status, 0);
}

#[tokio::test]
async fn shell_and_files_last_over_the_turns_of_a_session() {
    let place = Place::new();
    let note = place.workspace().join("note.txt");
    let editor = |arguments: Value| Step::tool("str_replace_editor", &arguments);
    let script = Script::new([
        shell("mkdir sub && cd sub && export COUNT=1 && count() { echo \"$COUNT ${PWD##*/}\"; } && count"),
        editor(json!({ "command": "create", "path": note, "file_text": "first\n" })),
        Step::text("noted"),
        shell("COUNT=$((COUNT + 1)); count"),
        editor(json!({ "command": "str_replace", "path": note, "old_str": "first", "new_str": "second" })),
        Step::text("changed"),
    ]);
    let mut serving = Serving::start_in(place, script).await;

    let first = serving.turn("turns", "make a note").await;
    assert_eq!(results(&first)[0], "1 sub");
    assert_eq!(fs::read_to_string(&note).unwrap(), "first\n");
    let second = serving.turn("turns", "change it").await;
    assert_eq!(results(&second)[0], "2 sub");
    assert_eq!(fs::read_to_string(&note).unwrap(), "second\n");

    let all: Vec<Value> = first.into_iter().chain(second).collect();
    assert_numbered(&all);
    assert_eq!(ends(&all), [&json!({ "kind": "completed" }), &json!({ "kind": "completed" })]);
    assert_eq!(serving.server.connections(), 1, "one connection serves a whole session");
    assert_eq!(serving.client.close().await.status, 0);
}

#[tokio::test]
async fn the_model_is_sent_the_conversation_and_nothing_else() {
    let mut serving = Serving::start([shell("echo seen"), Step::text("done"), Step::text("again")]).await;
    serving.turn("sent", "first question").await;
    serving.turn("sent", "second question").await;

    let bodies = serving.bodies();
    let tools: Vec<&str> = bodies[0]["tools"].as_array().unwrap().iter().filter_map(|tool| tool["function"]["name"].as_str()).collect();
    assert_eq!(tools, ["bash", "str_replace_editor"]);
    let roles = |body: &Value| -> Vec<String> {
        body["messages"].as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap_or("").to_owned()).collect()
    };
    assert_eq!(roles(&bodies[0]), ["system", "user"]);
    assert_eq!(roles(&bodies[1]), ["system", "user", "assistant", "tool"]);
    assert_eq!(roles(&bodies[2]), ["system", "user", "assistant", "tool", "assistant", "user"]);
    for members in bodies.windows(2) {
        let [before, after] = members else { unreachable!("windows of two") };
        let sent = before["messages"].as_array().unwrap();
        assert_eq!(after["messages"].as_array().unwrap()[..sent.len()], sent[..], "what was sent once is sent again unchanged");
    }
    let known =
        ["model", "messages", "stream", "stream_options", "tools", "max_tokens", "thinking", "reasoning_effort", "temperature", "stop"];
    let unknown: Vec<&String> =
        bodies.iter().flat_map(|body| body.as_object().unwrap().keys()).filter(|key| !known.contains(&key.as_str())).collect();
    assert!(unknown.is_empty(), "members of the request that no model server asks for: {unknown:?}");
    assert_eq!(serving.client.close().await.status, 0);
}

#[tokio::test]
async fn two_sessions_work_at_once_each_in_its_own_folder() {
    let gate = CancellationToken::new();
    let steps = [shell("pwd > here.txt; cat here.txt").hold(&gate), Step::text("done")];
    let mut serving = Serving::start_in(Place::new(), Script::new(steps).by_history()).await;
    let folders = ["left", "right"].map(|name| serving.place.workspace().join(name));
    let mut prompted = Vec::new();
    for (name, folder) in ["left", "right"].into_iter().zip(&folders) {
        fs::create_dir(folder).unwrap();
        serving.client.initialize(folder).await;
        prompted.push(serving.client.prompt(name, "where are you?").await);
    }
    // Both requests are open at the same time before either is answered.
    serving.server.wait_for_requests(2).await;
    gate.cancel();
    for name in ["left", "right"] {
        serving.client.wait_for(&format!("session {name} to be idle"), |frame| frame.is_idle(name)).await;
    }
    for (name, folder) in ["left", "right"].into_iter().zip(&folders) {
        let events = events_of(&serving.client.seen, name);
        assert_numbered(&events);
        assert_eq!(results(&events), [folder.to_str().unwrap()]);
        assert_eq!(fs::read_to_string(folder.join("here.txt")).unwrap(), format!("{}\n", folder.display()));
        assert_eq!(serving.place.log(name).header["cwd"], json!(folder));
    }
    assert_eq!(serving.client.close().await.status, 0);
}

#[tokio::test]
async fn a_later_initialize_is_for_later_sessions() {
    let mut serving = Serving::start([Step::text("one"), Step::text("two"), Step::text("three")]).await;
    serving.turn("old", "first").await;
    let params = json!({ "cwd": serving.place.workspace(), "provider": "deepseek-official", "model": "deepseek-v4-pro" });
    serving.client.request("initialize", &params).await.unwrap();
    serving.turn("old", "second").await;
    serving.turn("new", "third").await;
    let models: Vec<Value> = serving.bodies().iter().map(|body| body["model"].clone()).collect();
    assert_eq!(models, ["deepseek-v4-flash", "deepseek-v4-flash", "deepseek-v4-pro"]);
    assert_eq!(serving.client.close().await.status, 0);
}

/// Events of one session are numbered from 0 without gaps.
pub(crate) fn assert_numbered(events: &[Value]) {
    let numbers: Vec<u64> = events.iter().filter_map(|event| event["seq"].as_u64()).collect();
    assert_eq!(numbers, (0..events.len() as u64).collect::<Vec<_>>());
}
