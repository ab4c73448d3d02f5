//! What `initialize` takes, and what waits for it.

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn the_server_names_itself() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.serve();
    client
        .send("i", "initialize", json!({ "cwd": "/w", "provider": "scripted", "model": "m", "maxTokens": 5, "reasoningEffort": "high" }))
        .await;
    let expected =
        "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"result\":{\"serverInfo\":{\"name\":\"deepseek-harness-sdk-runtime\",\"version\":\"0.0.1\"}}}";
    assert_eq!(client.raw().await.unwrap(), expected);
}

#[tokio::test]
async fn wrong_parameters_are_told_and_the_server_stays_usable() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.serve();
    let tokens = "initialize maxTokens must be a positive safe integer";
    let effort = "initialize reasoningEffort must be a non-empty string";
    for (member, value, error) in [
        ("maxTokens", json!(0), tokens),
        ("maxTokens", json!(-1), tokens),
        ("maxTokens", json!(1.5), tokens),
        ("maxTokens", json!("5"), tokens),
        ("maxTokens", json!(null), tokens),
        ("maxTokens", json!(9_007_199_254_740_992_u64), tokens),
        ("reasoningEffort", json!(""), effort),
        ("reasoningEffort", json!(1), effort),
        ("provider", json!("other"), "no adapter registered for provider \"other\""),
        ("provider", json!(1), "initialize provider must be a non-empty string"),
        ("model", json!(""), "initialize model must be a non-empty string"),
        ("cwd", json!(1), "initialize cwd must be a string"),
    ] {
        let mut params = json!({ "cwd": "/w", "provider": "scripted", "model": "m" });
        params[member] = value.clone();
        client.send("i", "initialize", params).await;
        assert_eq!(client.error("i").await, error, "{member} {value}");
    }
    client.prompt("p", "s", "hi").await;
    assert_eq!(client.error("p").await, "SDK server is not initialized");
    client.initialize().await;
}

#[tokio::test]
async fn requests_about_sessions_wait_for_it() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.serve();
    for method in ["session/prompt", "session/resume", "session/wait", "session/working-directory/get", "session/working-directory/set"] {
        client.send("r", method, json!({ "sessionId": "s", "contentBlocks": [], "path": "/" })).await;
        assert_eq!(client.error("r").await, "SDK server is not initialized", "{method}");
    }
}

#[tokio::test]
async fn a_relative_directory_is_seen_from_the_process_and_the_last_call_counts_for_new_sessions() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.serve();
    let cwd = async |client: &mut crate::client::Client, session: &str| -> Value {
        client.send("g", "session/working-directory/get", json!({ "sessionId": session })).await;
        client.result("g").await["cwd"].clone()
    };
    client.initialize().await;
    assert_eq!(cwd(&mut client, "first").await, "/w");
    client.send("i", "initialize", json!({ "cwd": "sub/../x", "provider": "scripted", "model": "m2", "maxTokens": 7 })).await;
    client.result("i").await;
    assert_eq!(cwd(&mut client, "second").await, json!(world.folder().join("x")));
    assert_eq!(cwd(&mut client, "first").await, "/w");
    let options = |session: &str| world.agents.get(&session.into()).unwrap().options().clone();
    assert_eq!((options("first").model.as_deref(), options("first").max_tokens), (Some("m"), None));
    assert_eq!((options("second").model.as_deref(), options("second").max_tokens), (Some("m2"), Some(7)));
}

#[tokio::test]
async fn setting_a_directory_is_refused_in_words() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.client().await;
    client.send("s", "session/working-directory/set", json!({ "sessionId": "s", "path": "/tmp" })).await;
    assert_eq!(client.error("s").await, "the working directory of a session cannot be changed in this version");
    assert!(world.agents.list().is_empty());
}
