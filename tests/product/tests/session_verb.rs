//! `BIN session …`: what is stored, told and forked.

use std::fs;
use std::path::Path;

use dsh_product_tests::{Client, Ended, Log, Place, Signal, binary, run_to_end};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};

async fn session(place: &Place, words: &[&str]) -> Ended {
    let mut command = place.command(&binary("minimal"), "http://127.0.0.1:9");
    command.env_remove("DEEPSEEK_API_KEY").arg("session").args(words);
    run_to_end(command).await
}

async fn start(place: &Place, server: &MockServer) -> Client {
    let mut client = Client::start(place.command(&binary("minimal"), &server.url()));
    client.initialize(&place.workspace()).await;
    client
}

fn shell(command: &str) -> Step {
    Step::tool("bash", &json!({ "command": command }))
}

/// Id, state, turns and title of each listed session.
fn listed(ended: &Ended) -> Vec<String> {
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let mut lines = ended.stdout.lines();
    assert!(lines.next().is_some_and(|line| line.starts_with("SESSION")), "{}", ended.stdout);
    let without_time = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert!(words[1].ends_with('Z') && words[1].len() == 20, "{line}");
        [&words[..1], &words[2..]].concat().join(" ")
    };
    lines.map(without_time).collect()
}

#[tokio::test]
async fn a_list_tells_what_each_session_is_at() {
    let place = Place::new();
    assert_eq!(listed(&session(&place, &["list"]).await), [""; 0]);
    let server = MockServer::start(Script::new([Step::text("done"), Step::status(400), shell("sleep 300"), shell("sleep 301")])).await;
    let mut client = start(&place, &server).await;
    client.turn("first", "all goes well").await;
    client.turn("second", "this fails").await;
    client.prompt("third", "this is killed").await;
    place.wait_until_runs("sleep 300").await;
    client.signal(Signal::KILL);
    client.end().await;
    place.wait_until_nothing_runs().await;
    let mut client = start(&place, &server).await;
    client.prompt("fourth", "this\u{1b}[31m goes on").await;
    place.wait_until_runs("sleep 301").await;
    let all = [
        "fourth live 1 this goes on",
        "third interrupted 1 this is killed",
        "second error 1 this fails",
        "first completed 1 all goes well",
    ];
    let before: Vec<String> = place.logs().iter().map(|log| fs::read_to_string(log).unwrap()).collect();
    assert_eq!(listed(&session(&place, &["list"]).await), all, "the last used first");
    let after: Vec<String> = place.logs().iter().map(|log| fs::read_to_string(log).unwrap()).collect();
    assert_eq!(after, before, "nothing is repaired by looking");

    // One that cannot be read hides no other.
    let broken = place.log_path("second");
    fs::write(&broken, fs::read_to_string(&broken).unwrap() + "{\"type\":\"acme/thing\",\"seq\":").unwrap();
    assert_eq!(listed(&session(&place, &["list"]).await).len(), 4, "an incomplete end is passed over");
    let text = fs::read_to_string(&broken).unwrap();
    fs::write(&broken, text.replacen("\"type\":\"turn/start\"", "\"type\":\"acme/thing\"", 1)).unwrap();
    let ended = session(&place, &["list"]).await;
    assert_eq!(listed(&ended).len(), 3);
    assert!(ended.stderr.contains("`acme/thing`, which this version does not know"), "{}", ended.stderr);
    assert_eq!(client.request("shutdown", &json!({})).await, Ok(json!({})));
    assert_eq!(client.end().await.status, 0);
}

#[tokio::test]
async fn a_session_is_told_as_text() {
    let place = Place::new();
    let server = MockServer::start(Script::new([
        shell("echo out; (exit 3)").and_text("I look.").and_reasoning("Hm."),
        Step::tool("nonsense", &json!({})),
        Step::text("Line one.\n\nLine \u{1b}]0;x\u{7}three."),
        Step::status(400),
    ]))
    .await;
    let mut client = start(&place, &server).await;
    client.turn("told", "Look around.").await;
    client.turn("told", "Again.").await;
    assert_eq!(client.close().await.status, 0);
    let ended = session(&place, &["show", "told"]).await;
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{}", ended.stderr);
    let log = place.log("told");
    let ends: Vec<u64> = log.events.iter().filter(|event| event["type"] == "turn/end").filter_map(|event| event["seq"].as_u64()).collect();
    let (head, text) = ended.stdout.split_once("\n\n").unwrap();
    let untimed = head.lines().filter(|line| !line.starts_with("created ") && !line.starts_with("last event "));
    let expected = [
        "session      told".to_owned(),
        "title        Look around.".to_owned(),
        "state        error".to_owned(),
        format!("folder       {}", place.workspace().display()),
        format!("log          {}", place.log_path("told").display()),
    ];
    assert_eq!(untimed.collect::<Vec<_>>(), expected);
    let expected = format!(
        "turn 1\n\
         user:\n  Look around.\n\
         reasoning:\n  Hm.\n\
         assistant:\n  I look.\n\
         call of bash:\n  {{\"command\":\"echo out; (exit 3)\"}}\n\
         result:\n  out\n  [exit code: 3]\n\
         call of nonsense:\n  {{}}\n\
         failed result:\n  Error: unknown tool \"nonsense\"\n\
         assistant:\n  Line one.\n\n  Line \u{fffd}]0;x\u{fffd}three.\n\
         turn 1 ended with event {}: completed\n\
         \n\
         turn 2\n\
         user:\n  Again.\n\
         turn 2 ended with event {}: error (INVALID_REQUEST: the model provider at {}/chat/completions answered with status 400: mock error)\n",
        ends[0],
        ends[1],
        server.url()
    );
    assert_eq!(text, expected);
}

#[tokio::test]
async fn a_fork_goes_on_by_itself_from_a_finished_turn() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("one"), Step::text("two"), Step::text("other"), Step::text("third")])).await;
    let mut client = start(&place, &server).await;
    client.turn("source", "first").await;
    client.turn("source", "second").await;
    assert_eq!(client.close().await.status, 0);
    let source = fs::read_to_string(place.log_path("source")).unwrap();
    let parent = place.log("source");
    let second_turn = parent.events.iter().rposition(|event| event["type"] == "turn/start").unwrap();

    let ended = session(&place, &["fork", "source", "--at", "3"]).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let id = ended.stdout.trim_end();
    assert!(id.starts_with("session-") && id.len() == 44, "{id}");
    assert_eq!(ended.stderr, format!("forked from source: its first {second_turn} events\n"));
    assert_eq!(fs::read_to_string(place.log_path("source")).unwrap(), source, "the other session is as it was");
    let fork = place.log(id);
    for (member, value) in [
        ("parentSession", json!("source")),
        ("seedLength", json!(second_turn)),
        ("delegationDepth", json!(0)),
        ("cwd", json!(place.workspace())),
    ] {
        assert_eq!(fork.header[member], value, "{member}");
    }
    assert_eq!(fork.events[..second_turn], parent.events[..second_turn]);
    assert_eq!(fork.kinds()[second_turn..], ["session/end-seed"]);

    // What waited in the other session's inbox does not run in the fork; the model is told what was said before the fork.
    let mut command = place.command(&binary("minimal"), &server.url());
    command.args(["run", "--resume", id, "instead"]);
    let ended = run_to_end(command).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "other\n"), "{}", ended.stderr);
    let asked = |at: usize| -> Vec<Value> {
        server.requests()[at].body()["messages"].as_array().unwrap().iter().skip(1).map(|message| message["content"].clone()).collect()
    };
    assert_eq!(asked(2), ["first", "one", "instead"]);
    let events = place.log(id).events;
    let header = events[second_turn..].iter().find(|event| event["type"] == "request/header").unwrap();
    assert_eq!(header["data"]["reason"], "resume");
    assert!(!events[second_turn..].iter().any(|event| event["type"] == "request/context"), "an equal context is not repeated");
    assert!(!events[second_turn..].iter().any(|event| event["type"] == "session/title"), "the fork has the title that it inherited");

    // By default the last finished turn counts, and a fork can be forked.
    let ended = session(&place, &["fork", id]).await;
    let second = ended.stdout.trim_end();
    assert_eq!(place.log(second).header["parentSession"], id);
    let mut client = start(&place, &server).await;
    assert_eq!(client.request("session/resume", &json!({ "sessionId": second })).await, Ok(json!({})));
    client.turn(second, "and then").await;
    assert_eq!(asked(3), ["first", "one", "instead", "other", "and then"]);
    assert_eq!(client.close().await.status, 0);
    assert_eq!(listed(&session(&place, &["list"]).await).len(), 3);
}

#[tokio::test]
async fn a_session_that_is_live_or_was_killed_is_forked_without_a_change() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("one"), shell("sleep 302")])).await;
    let mut client = start(&place, &server).await;
    client.turn("working", "first").await;
    client.prompt("working", "second").await;
    place.wait_until_runs("sleep 302").await;
    let fork = async || {
        let before = fs::read_to_string(place.log_path("working")).unwrap();
        let ended = session(&place, &["fork", "working"]).await;
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        assert_eq!(fs::read_to_string(place.log_path("working")).unwrap(), before);
        let Log { events, .. } = place.log(ended.stdout.trim_end());
        events.iter().filter(|event| event["type"] == "turn/end").map(|event| event["data"]["reason"]["kind"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(fork().await, ["completed"], "the turn that goes on is not in it");
    client.signal(Signal::KILL);
    client.end().await;
    place.wait_until_nothing_runs().await;
    assert_eq!(fork().await, ["completed", "interrupted"], "a turn that nobody ends any more is closed in the fork");
}

#[tokio::test]
async fn wrong_words_and_sessions_that_are_not_there_are_told() {
    let place = Place::new();
    for words in [&[][..], &["lst"], &["show"], &["fork", "s", "--at", "x"]] {
        let ended = session(&place, words).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{words:?}");
        assert!(ended.stderr.starts_with("error: ") && ended.stderr.contains("--help"), "{words:?}: {}", ended.stderr);
    }
    for words in [["show", "none"], ["fork", "none"]] {
        let ended = session(&place, &words).await;
        assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (5, "", "dsh: session \"none\" not found\n"));
    }
    let ended = session(&place, &["--help"]).await;
    assert!(ended.status == 0 && ["list", "show", "fork"].iter().all(|word| ended.stdout.contains(word)), "{}", ended.stdout);
    assert!(!place.sessions().exists(), "nothing was made");

    let folder = place.sessions().join("_no-cwd").join("empty");
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("session.jsonl"),
        "{\"type\":\"session\",\"version\":0,\"id\":\"empty\",\"createdAt\":1,\"delegationDepth\":0}\n",
    )
    .unwrap();
    let ended = session(&place, &["fork", "empty"]).await;
    assert_eq!((ended.status, ended.stderr.as_str()), (5, "dsh: session \"empty\" has no finished turn to fork from\n"));
    assert_eq!(listed(&session(&place, &["list"]).await), ["empty new 0"]);
    assert!(!Path::new(&folder).join("session.lock").exists());
}
