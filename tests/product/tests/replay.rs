//! The binary of the profile `replay`: a recorded session is the model.

use std::fs;
use std::path::{Path, PathBuf};

use dsh_product_tests::{Client, Ended, Log, Place, binary, run_to_end};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::json;
use tokio::process::Command;

/// Records a run of `minimal` with this task and yields its log.
async fn record(place: &Place, steps: impl IntoIterator<Item = Step>, task: &str) -> PathBuf {
    let server = MockServer::start(Script::new(steps)).await;
    let mut command = place.command(&binary("minimal"), &server.url());
    command.args(["run", task]);
    let ended = run_to_end(command).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let [log] = &place.logs()[..] else { panic!("one log: {:?}", place.logs()) };
    log.clone()
}

/// A binary that serves a recording, without key and server.
fn serving(place: &Place, recording: &Path) -> Command {
    let mut command = place.command(&binary("replay"), "http://127.0.0.1:9");
    command.env_remove("DEEPSEEK_API_KEY").env_remove("DEEPSEEK_BASE_URL").env("DSH_SNAPSHOT_FILE", recording);
    command
}

async fn run(place: &Place, recording: &Path, words: &[&str]) -> Ended {
    let mut command = serving(place, recording);
    command.arg("run").args(words);
    run_to_end(command).await
}

fn shell(command: &str) -> Step {
    Step::tool("bash", &json!({ "command": command }))
}

#[tokio::test]
async fn a_recorded_session_is_served_in_another_folder_with_real_tools() {
    let (then, now) = (Place::new(), Place::new());
    let file = then.workspace().join("made.txt");
    let steps = [shell(&format!("pwd; echo made > {}", file.display())), Step::text("The file is there.")];
    let recording = record(&then, steps, "make a file").await;
    let ended = run(&now, &recording, &["make", "a file"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "The file is there.\n"), "{}", ended.stderr);
    assert_eq!(fs::read_to_string(now.workspace().join("made.txt")).unwrap(), "made\n");
    let [log] = &now.logs()[..] else { panic!("one log: {:?}", now.logs()) };
    let (then, now) = (Log::read(&recording), Log::read(log));
    assert_eq!(now.kinds(), then.kinds());
    let header = |log: &Log| log.events.iter().find(|event| event["type"] == "request/header").unwrap()["data"].clone();
    assert_eq!(header(&now), header(&then), "what the provider filled in is filled in again");
}

#[tokio::test]
async fn a_request_that_was_not_made_then_is_refused_and_its_first_difference_told() {
    let then = Place::new();
    let steps = [shell("cat note.txt"), Step::text("read")];
    fs::write(then.workspace().join("note.txt"), "one note").unwrap();
    let recording = record(&then, steps, "read the note").await;
    let cases = [
        (
            vec![],
            "one note",
            "read a note",
            "call 1 is made otherwise now: message 1, from character 55 on: recorded …",
            "\"read the note\"",
            "\"read a note\"",
        ),
        (
            vec![("DSH_MODEL", "another")],
            "one note",
            "read the note",
            "call 1 is made otherwise now: the settings, from character ",
            "deepseek-v4-flash",
            "another",
        ),
        (
            vec![("DSH_SYSTEM_PROMPT", "Be brief.")],
            "one note",
            "read the note",
            "call 1 is made otherwise now: the system prompt, from character ",
            "You are",
            "Be brief.",
        ),
        (vec![], "two notes", "read the note", "call 2 is made otherwise now: message 3, from character ", "one note", "two notes"),
    ];
    for (variables, note, task, told, recorded, found) in cases {
        let now = Place::new();
        fs::write(now.workspace().join("note.txt"), note).unwrap();
        let mut command = serving(&now, &recording);
        command.envs(variables).args(["run", task]);
        let ended = run_to_end(command).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (4, ""), "{}", ended.stderr);
        let start = format!("dsh: REPLAY_DIFFERS: the recording {} cannot serve this call: {told}", recording.display());
        let line = ended.stderr.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{start}\n\n{}", ended.stderr));
        let (then, now) = line.split_once("…, now …").unwrap();
        assert!(then.contains(recorded) && now.contains(found), "{line}");
    }
}

#[tokio::test]
async fn a_session_goes_on_in_the_middle_of_its_recording_and_not_past_its_end() {
    let (then, now) = (Place::new(), Place::new());
    let server = MockServer::start(Script::new([Step::text("one"), Step::text("two")])).await;
    let mut client = Client::start(then.command(&binary("minimal"), &server.url()));
    client.initialize(&then.workspace()).await;
    client.turn("counted", "first").await;
    client.turn("counted", "second").await;
    assert_eq!(client.close().await.status, 0);
    let recording = then.log_path("counted");

    assert_eq!(run(&now, &recording, &["first"]).await.stdout, "one\n");
    let [log] = &now.logs()[..] else { panic!("one log: {:?}", now.logs()) };
    let id = log.parent().and_then(Path::file_name).unwrap().to_str().unwrap();
    assert_eq!(run(&now, &recording, &["second", "--resume", id]).await.stdout, "two\n");
    let ended = run(&now, &recording, &["third", "--resume", id]).await;
    assert_eq!(ended.status, 4);
    let told = "REPLAY_DIFFERS: ";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);

    let mut client = Client::start(serving(&now, &recording));
    client.initialize(&now.workspace()).await;
    for (prompt, reason) in [("first", json!("completed")), ("second", json!("completed")), ("third", json!("error"))] {
        let frames = client.turn("again", prompt).await;
        let events = dsh_product_tests::events_of(&frames, "again");
        let end = &events.last().unwrap()["data"]["reason"];
        assert_eq!(end["kind"], reason, "{prompt}");
        if prompt == "third" {
            let message = end["error"]["message"].as_str().unwrap();
            assert_eq!(end["error"]["code"], "REPLAY_OVER");
            assert!(message.ends_with("it has 2 calls of the model, and one more is made"), "{message}");
        }
    }
    assert_eq!(client.close().await.status, 0);
}

#[tokio::test]
async fn sessions_at_the_same_time_are_served_each_from_the_start() {
    let (then, now) = (Place::new(), Place::new());
    let recording = record(&then, [shell("sleep 0.05; echo x"), shell("echo y"), Step::text("both")], "go").await;
    let mut client = Client::start(serving(&now, &recording));
    client.initialize(&now.workspace()).await;
    for session in ["a", "b"] {
        client.prompt(session, "go").await;
    }
    for session in ["a", "b"] {
        client.wait_for("the end", |frame| frame.is_idle(session)).await;
        assert_eq!(now.log(session).events.last().unwrap()["data"]["reason"]["kind"], "completed");
    }
    assert_eq!(client.close().await.status, 0);
}

#[tokio::test]
async fn a_reply_that_was_given_up_ends_where_it_did() {
    let (then, now) = (Place::new(), Place::new());
    let recording = record(&then, [Step::text("said in full")], "talk").await;
    let text = fs::read_to_string(&recording).unwrap();
    let start = text.find("\"blockType\":\"text\"").unwrap();
    let end = start + text[start..].match_indices('\n').nth(1).unwrap().0 + 1;
    fs::write(&recording, &text[..end]).unwrap();
    let ended = run(&now, &recording, &["talk"]).await;
    assert_eq!(ended.status, 4, "{}", ended.stderr);
    assert!(
        ended.stderr.contains("REPLAY_INTERRUPTED: ") && ended.stderr.contains("the reply was given up at this point"),
        "{}",
        ended.stderr
    );
    assert_eq!(fs::read_to_string(&recording).unwrap(), text[..end], "a recording is read and not repaired");
}

#[tokio::test]
async fn a_recording_that_cannot_be_served_keeps_the_binary_from_starting() {
    let place = Place::new();
    let header = "{\"type\":\"session\",\"version\":0,\"id\":\"x\",\"createdAt\":1,\"delegationDepth\":0}\n";
    let file = place.temporary().join("recorded.jsonl");
    for (text, told) in [
        (header.to_owned(), "holds no call of a model; name another one as `file`"),
        (header.replace("\"version\":0", "\"version\":9"), "it was written by a newer version, format 9; this version reads format 0"),
        ("not a log\n".to_owned(), "cannot be read: the header line: "),
    ] {
        fs::write(&file, text).unwrap();
        let ended = run(&place, &file, &["task"]).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(told) && ended.stderr.contains(file.to_str().unwrap()), "{told}: {}", ended.stderr);
    }
    fs::remove_file(&file).unwrap();
    let ended = run(&place, &file, &["task"]).await;
    assert!(ended.status == 5 && ended.stderr.contains("recorded.jsonl: No such file"), "{}", ended.stderr);
    let mut command = serving(&place, &file);
    command.env_remove("DSH_SNAPSHOT_FILE").args(["run", "task"]);
    let ended = run_to_end(command).await;
    assert!(ended.status == 5 && ended.stderr.contains("env.DSH_SNAPSHOT_FILE"), "{}", ended.stderr);
    assert!(!place.sessions().exists(), "no session was made");
}
