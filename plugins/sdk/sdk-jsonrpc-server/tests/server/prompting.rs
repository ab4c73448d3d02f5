//! Prompts: what they start, and in which order a client hears of it.

use std::sync::Arc;

use dsh_testkit::Reply;
use serde_json::{Value, json};

use crate::client::{events, gists};
use crate::world::World;

#[tokio::test]
async fn a_turn_is_told_from_receipt_to_idle() {
    let world = World::new([Reply::text("done")]).await;
    let (mut client, _serving) = world.client().await;
    client.prompt("p", "s", "hi").await;
    let frames = client.until_idle("s").await;
    let answer = frames.iter().find(|frame| frame["id"] == "p").expect("the answer comes before the turn ends");
    let told: Vec<Value> = frames.iter().filter(|frame| frame.get("id").is_none()).cloned().collect();
    let gists = gists(&told);
    assert_eq!(
        gists[..5],
        ["agent/inbox/spliced", "running", "turn/start", "agent/inbox/spliced", "step/start"].map(str::to_owned),
        "{gists:?}"
    );
    assert_eq!(gists[gists.len() - 3..], ["step/end", "turn/end", "idle"].map(str::to_owned), "{gists:?}");
    assert!(gists.iter().filter(|gist| *gist == "assistant/chunk").count() >= 4, "{gists:?}");
    assert_eq!(told[0]["params"]["event"]["data"]["inserted"][0]["id"], answer["result"]["messageId"]);
    assert_eq!(told[3]["params"]["event"]["data"]["removedCount"], 1);
    for (seq, event) in events(&frames, "s").into_iter().enumerate() {
        assert_eq!(event["seq"], json!(seq));
    }
}

#[tokio::test]
async fn an_event_is_a_frame_with_its_members_in_order() {
    let world = World::new([Reply::text("done")]).await;
    let (mut client, _serving) = world.client().await;
    client
        .line(r#"{"id":1,"method":"session/prompt","params":{"sessionId":"a/b","contentBlocks":[{"type":"text","text":"\ud83d é"}]}}"#)
        .await;
    let expected = "{\"jsonrpc\":\"2.0\",\"method\":\"session.event\",\"params\":{\"sessionId\":\"a/b\",\"event\":{\"type\":\"agent/inbox/spliced\",\
                    \"seq\":0,\"time\":1790000000000,\"data\":{\"target\":\"next-turn\",\"start\":0,\"inserted\":[{\"content\":[{\"type\":\"text\",\
                    \"text\":\"\\ud83d é\"}],\"source\":{\"kind\":\"user\"},\"role\":\"user\",\"id\":\"";
    let frame = client.raw().await.unwrap();
    assert!(frame.starts_with(expected), "{frame}");
    assert_eq!(
        client.raw().await.unwrap(),
        r#"{"jsonrpc":"2.0","method":"session.status","params":{"sessionId":"a/b","status":"running"}}"#
    );
}

#[tokio::test]
async fn prompts_to_a_busy_session_run_in_one_interval_in_their_order() {
    let world = World::new([Reply::text("one"), Reply::text("two"), Reply::text("three")]).await;
    let (mut client, _serving) = world.client().await;
    for (id, text) in [("1", "first"), ("2", "second"), ("3", "third")] {
        client.prompt(id, "s", text).await;
    }
    let frames =
        client.until(|frame| frame["params"]["event"]["data"]["turn"] == 3 && frame["params"]["event"]["type"] == "turn/end").await;
    let statuses = frames.iter().filter(|frame| frame["method"] == "session.status").count();
    assert_eq!(statuses, 1, "one interval");
    let prompts: Vec<&Value> = events(&frames, "s").into_iter().filter(|event| event["data"]["source"]["kind"] == "user").collect();
    let texts: Vec<&Value> = prompts.iter().map(|event| &event["data"]["content"][0]["text"]).collect();
    assert_eq!(texts, ["first", "second", "third"]);
}

#[tokio::test]
async fn sessions_interleave_and_each_is_dense() {
    let world = World::new((0..4).map(|_| Reply::text("done"))).await;
    let (mut client, _serving) = world.client().await;
    for session in ["a", "b", "c", "d"] {
        client.prompt(session, session, "hi").await;
    }
    let mut idle = 0;
    let mut frames = Vec::new();
    while idle < 4 {
        frames.extend(client.until(|frame| frame["params"]["status"] == "idle").await);
        idle += 1;
    }
    for session in ["a", "b", "c", "d"] {
        let seqs: Vec<u64> = events(&frames, session).iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>(), "{session}");
    }
}

#[tokio::test]
async fn content_is_stored_as_it_came() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.client().await;
    for (session, blocks) in
        [("empty", json!([])), ("other", json!([{ "type": "song", "notes": [1, { "b": null }] }, { "type": "text", "text": "" }]))]
    {
        client.send(session, "session/prompt", json!({ "sessionId": session, "contentBlocks": blocks })).await;
        let frames = client.until_idle(session).await;
        assert_eq!(events(&frames, session)[0]["data"]["inserted"][0]["content"], blocks);
    }
}

#[tokio::test]
async fn a_wrong_prompt_leaves_no_session() {
    let world = World::new([Reply::text("done")]).await;
    let (mut client, _serving) = world.client().await;
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    for (params, error) in [
        (r#"{"sessionId":"s"}"#, "`contentBlocks` must be an array of content blocks"),
        (r#"{"sessionId":"s","contentBlocks":{}}"#, "`contentBlocks` must be an array of content blocks"),
        (r#"{"sessionId":"s","contentBlocks":[1]}"#, "`contentBlocks[0]` is no content block"),
        (r#"{"sessionId":"s","contentBlocks":[{"type":"text","text":"a"},{"type":"text"}]}"#, "`contentBlocks[1]` is no content block"),
        (r#"{"sessionId":"","contentBlocks":[]}"#, "`sessionId` must be a non-empty string without lone surrogates"),
        (r#"{"sessionId":1,"contentBlocks":[]}"#, "`sessionId` must be a non-empty string without lone surrogates"),
        (r#"{"sessionId":"\ud800","contentBlocks":[]}"#, "`sessionId` must be a non-empty string without lone surrogates"),
        (r#"{"contentBlocks":[]}"#, "`sessionId` must be a non-empty string without lone surrogates"),
        (&format!(r#"{{"sessionId":"s","contentBlocks":{deep}}}"#), "`contentBlocks` is nested too deeply"),
    ] {
        client.line(&format!("{{\"id\":\"p\",\"method\":\"session/prompt\",\"params\":{params}}}")).await;
        let frame = client.frame().await;
        assert!(frame["error"]["message"].as_str().is_some_and(|message| message.starts_with(error)), "{params:.80}: {frame}");
        assert!(world.agents.list().is_empty(), "{params:.80}");
    }
    client.prompt("p", "s", "hi").await;
    client.until_idle("s").await;
}

#[tokio::test]
async fn a_session_of_somebody_else_is_not_taken_over() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.client().await;
    let request = dsh_agent::CreateAgent {
        session_id: "s".into(),
        session: dsh_session::NewSession::default(),
        seed: None,
        options: dsh_agent::AgentOptions::default(),
        signal: dsh_runtime::CancellationToken::new(),
    };
    world.agents.create(request).await.unwrap();
    client.prompt("p", "s", "hi").await;
    assert_eq!(client.error("p").await, "session \"s\" already exists");
}

#[tokio::test]
async fn an_agent_that_was_disposed_behind_the_server_is_told() {
    let world = World::new([Reply::text("done")]).await;
    let (mut client, _serving) = world.client().await;
    client.prompt("p", "s", "hi").await;
    client.until_idle("s").await;
    let agent = world.agents.get(&"s".into()).unwrap();
    Arc::clone(&agent).dispose().await;
    client.prompt("q", "s", "hi").await;
    assert_eq!(client.error("q").await, "session agent was disposed outside the server: s");
}

#[tokio::test]
async fn a_child_is_told_of_before_its_events() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.client().await;
    let session = dsh_session::NewSession { parent_session: Some("s".into()), ..dsh_session::NewSession::default() };
    let request = dsh_agent::CreateAgent {
        session_id: "child".into(),
        session,
        seed: None,
        options: dsh_agent::AgentOptions::default(),
        signal: dsh_runtime::CancellationToken::new(),
    };
    world.agents.create(request).await.unwrap();
    let expected = r#"{"jsonrpc":"2.0","method":"subagent.started","params":{"parentSessionId":"s","childSessionId":"child"}}"#;
    assert_eq!(client.raw().await.unwrap(), expected);
}
