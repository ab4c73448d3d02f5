//! Logs of other versions, writers and fates, as a client and a run meet them when they take one up.

use std::fs;
use std::path::PathBuf;

use dsh_product_tests::{Client, Log, Place, binary, run_to_end};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::json;

/// The header of a session `s` in the workspace.
fn header(place: &Place) -> String {
    let header = json!({ "type": "session", "version": 0, "id": "s", "createdAt": 1, "cwd": place.workspace(), "delegationDepth": 0 });
    header.to_string() + "\n"
}

fn event(seq: u64, kind: &str, data: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":1790000000000,\"data\":{data}}}\n")
}

/// A finished turn: events 0 to 5.
fn turn() -> String {
    let message = r#"{"content":[{"type":"text","text":"before"}],"source":{"kind":"user"},"role":"user","id":"m-1"}"#;
    let user = event(2, "user/message", message).replace("}\n", ",\"surfaceOp\":\"append\"}\n");
    event(0, "turn/start", r#"{"turn":1}"#)
        + &event(1, "step/start", r#"{"turn":1,"step":1}"#)
        + &user
        + &event(3, "assistant/chunk", r#"{"turn":1,"step":1,"chunk":{"type":"finish","reason":{"kind":"stop"}}}"#)
        + &event(4, "step/end", r#"{"turn":1,"step":1}"#)
        + &event(5, "turn/end", r#"{"turn":1,"reason":{"kind":"completed"}}"#)
}

/// What becomes of a log.
type Change<'a> = &'a dyn Fn(&str) -> String;

/// Puts the log into the store, under a name of its encoding.
fn put(place: &Place, name: &str, log: impl AsRef<[u8]>) -> PathBuf {
    let cwd = place.workspace().to_str().unwrap().replace('/', "-");
    let folder = place.sessions().join(format!("--{}--", cwd.trim_start_matches('-'))).join("s");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), log).unwrap();
    folder.join(name)
}

/// What a client is told that resumes the session, and what a run is told, its exit status first. The log must stay as it is.
async fn refused(place: &Place, path: &PathBuf) -> (String, String) {
    let before = fs::read(path).unwrap();
    let server = MockServer::start(Script::new([Step::text("never asked")])).await;
    let mut client = Client::start(place.command(&binary("minimal"), &server.url()));
    client.initialize(&place.workspace()).await;
    let error = client.request("session/resume", &json!({ "sessionId": "s" })).await.expect_err("it is refused");
    assert_eq!(client.close().await.status, 0);
    let mut command = place.command(&binary("minimal"), &server.url());
    command.args(["run", "--resume", "s", "go on"]);
    let ended = run_to_end(command).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
    assert_eq!(server.requests(), []);
    assert_eq!(fs::read(path).unwrap(), before, "a refused log is not changed");
    (error["message"].as_str().unwrap().to_owned(), ended.stderr.lines().next().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_log_that_must_not_be_taken_up_is_refused_with_reason_and_place() {
    const NEWER: &str = "it was written by a newer version, format 1; this version reads format 0";
    const OLDER: &str = "its format -1 is too old to be upgraded; this version reads format 0";
    const UNKNOWN: &str = "event 6 has the type `acme/thing`, which this version does not know";
    let unsupported = "session \"s\" cannot be read by this version: ";
    let corrupt = "the stored log of session \"s\" is corrupt: ";
    let newer = |log: &str| log.replacen("\"version\":0", "\"version\":1,\"shape\":[]", 1).replace("\"id\":\"s\",", "");
    let cases: [(&str, Change<'_>, &str, &str); 6] = [
        ("session.jsonl", &newer, unsupported, NEWER),
        ("session.jsonl", &|log| log.replacen("\"version\":0", "\"version\":-1", 1), unsupported, OLDER),
        ("session.jsonl", &|log| format!("{log}{}", event(6, "acme/thing", "{}")), unsupported, UNKNOWN),
        (
            "session.jsonl",
            &|log| format!("{log}{}", event(6, "acme/thing", "{}").replace("}\n", ",\"ignorable\":false}\n")),
            unsupported,
            UNKNOWN,
        ),
        (
            "session.jsonl",
            &|log| log.replace("\"seq\":4", "\"seq\":9"),
            corrupt,
            "event 9 stands where event 4 belongs, and a turn ends after it",
        ),
        ("session.jsonl.zstd", &str::to_owned, unsupported, "the log is compressed, and the store is not; with `compression: zstd`"),
    ];
    for (name, change, start, reason) in cases {
        let place = Place::new();
        let path = put(&place, name, change(&(header(&place) + &turn())));
        let (client, run) = refused(&place, &path).await;
        assert!(client.starts_with(start) && client.contains(reason) && client.ends_with(path.to_str().unwrap()), "{reason}: {client}");
        assert_eq!(run, format!("dsh: {client}"));
    }
}

#[tokio::test]
async fn a_session_that_another_process_writes_is_refused_until_that_one_ends() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("one"), Step::text("two")])).await;
    let mut client = Client::start(place.command(&binary("minimal"), &server.url()));
    client.initialize(&place.workspace()).await;
    client.turn("s", "first").await;
    let (told, run) = refused(&place, &place.log_path("s")).await;
    let lock = place.log_path("s").with_file_name("session.lock");
    assert!(told.starts_with("session \"s\" is already owned by an active write handle of process "), "{told}");
    assert!(told.ends_with(lock.to_str().unwrap()), "{told}");
    assert_eq!(run, format!("dsh: {told}"));
    assert_eq!(client.close().await.status, 0);
    let mut command = place.command(&binary("minimal"), &server.url());
    command.args(["run", "--resume", "s", "second"]);
    let ended = run_to_end(command).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "two\n"), "{}", ended.stderr);
}

#[tokio::test]
async fn what_can_be_read_is_taken_up_and_goes_on() {
    let torn = r#"{"type":"turn/start","seq":7,"ti"#;
    let gap = event(9, "turn/start", r#"{"turn":2}"#);
    let ignorable = event(6, "acme/thing", r#"{"any":[1]}"#).replace("}\n", ",\"ignorable\":true}\n");
    let open = event(6, "turn/start", r#"{"turn":2}"#);
    for (name, end, kept, closed) in [
        ("an end that was being written", format!("{ignorable}{torn}"), vec!["acme/thing"], 2),
        ("a gap without a turn's end after it", gap, vec![], 2),
        ("a turn that was open", open, vec!["turn/start", "turn/end"], 3),
    ] {
        let place = Place::new();
        let whole = header(&place) + &turn();
        let path = put(&place, "session.jsonl", whole.clone() + &end);
        let server = MockServer::start(Script::new([Step::text("on it")])).await;
        let mut command = place.command(&binary("minimal"), &server.url());
        command.args(["run", "--resume", "s", "go on"]);
        let ended = run_to_end(command).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (0, "on it\n"), "{name}: {}", ended.stderr);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&whole), "{name}: what was whole stays as it was");
        let log = Log::read(&path);
        let kinds = log.kinds();
        let from = 6 + kept.len();
        assert_eq!(kinds[6..from], kept, "{name}");
        assert_eq!(kinds[from..from + 2], ["session/end-seed", "agent/inbox/spliced"], "{name}");
        let seqs: Vec<u64> = log.events.iter().filter_map(|event| event["seq"].as_u64()).collect();
        assert!(seqs.iter().copied().eq(0..seqs.len() as u64), "{name}: {seqs:?}");
        let turns: Vec<u64> =
            log.events.iter().filter(|event| event["type"] == "turn/start").filter_map(|event| event["data"]["turn"].as_u64()).collect();
        assert_eq!(turns.last(), Some(&closed), "{name}");
        let asked = server.requests()[0].body()["messages"].as_array().unwrap().clone();
        assert_eq!(asked[1]["content"], "before", "{name}: the model is told what was said before");
    }
}
