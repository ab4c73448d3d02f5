//! `BIN run "task"`: the answer on standard output, what happens on standard error, the outcome as the exit status.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use dsh_product_tests::{Ended, KEY, Log, Place, Signal, binary, run_to_end, signal_child};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::json;
use tokio::process::Command;

fn command(place: &Place, server: &MockServer, words: &[&str]) -> Command {
    let mut command = place.command(&binary("minimal"), &server.url());
    command.arg("run").args(words);
    command
}

/// Runs a task with a model that answers so.
async fn run(place: &Place, steps: impl IntoIterator<Item = Step>, words: &[&str]) -> (Ended, MockServer) {
    let server = MockServer::start(Script::new(steps)).await;
    (run_to_end(command(place, &server, words)).await, server)
}

fn shell(command: &str) -> Step {
    Step::tool("bash", &json!({ "command": command }))
}

#[tokio::test]
async fn the_answer_is_on_stdout_and_the_steps_are_on_stderr() {
    let place = Place::new();
    let steps = [shell("echo made > made.txt; echo step-output").and_text("I make a file."), Step::text("The file is there.")];
    let (ended, server) = run(&place, steps, &["make", "a file"]).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(ended.stdout, "The file is there.\n");
    for told in ["I make a file.", "echo made > made.txt", "step-output"] {
        assert!(ended.stderr.contains(told), "`{told}` is told: {}", ended.stderr);
    }
    assert_eq!(fs::read_to_string(place.workspace().join("made.txt")).unwrap(), "made\n");
    assert_eq!(server.requests()[0].body()["messages"][1]["content"], "make a file");

    assert_eq!(place.files_beside_sessions(), [Path::new("workspace/made.txt")]);

    let [log] = &place.logs()[..] else { panic!("one log: {:?}", place.logs()) };
    assert!(ended.stderr.contains(log.to_str().unwrap()), "the place of the log is told: {}", ended.stderr);
    let log = Log::read(log);
    assert_eq!(log.events.last().unwrap()["data"]["reason"]["kind"], "completed");
    assert_eq!(place.processes(), [""; 0]);
    assert!(!ended.stderr.contains(KEY) && place.files_with(KEY).is_empty());
}

#[tokio::test]
async fn wrong_usage_is_told_before_anything_starts() {
    let place = Place::new();
    for words in [&[][..], &["  "], &["--no-such-flag", "task"]] {
        let (ended, server) = run(&place, [Step::text("never asked")], words).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{words:?}: {}", ended.stderr);
        assert!(ended.stderr.contains("run"), "{words:?}: {}", ended.stderr);
        assert_eq!(server.requests(), [], "{words:?}");
    }
    assert!(!place.sessions().exists(), "no session was made");
}

#[tokio::test]
async fn a_provider_that_refuses_gives_4() {
    let place = Place::new();
    let body = json!({ "error": { "message": "this key was withdrawn" } }).to_string();
    let (ended, _) = run(&place, [Step::status(401).body(&body)], &["task"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (4, ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("AUTH") && ended.stderr.contains("this key was withdrawn"), "{}", ended.stderr);
}

#[tokio::test]
async fn a_missing_key_gives_5_and_says_what_to_set() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("never asked")])).await;
    let mut command = command(&place, &server, &["task"]);
    command.env_remove("DEEPSEEK_API_KEY");
    let ended = run_to_end(command).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("DEEPSEEK_API_KEY"), "{}", ended.stderr);
    assert_eq!(server.requests(), []);
}

#[tokio::test]
async fn a_reply_that_reached_the_ceiling_is_printed_and_gives_3() {
    let place = Place::new();
    let (ended, _) = run(&place, [Step::text("as far as it goes").finish("length")], &["task"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (3, "as far as it goes\n"), "{}", ended.stderr);
}

#[tokio::test]
async fn an_interrupt_ends_it_with_a_closed_log_and_nothing_left_running() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let place = Place::new();
        let server = MockServer::start(Script::new([shell("echo begun > begun.txt; sleep 300 & sleep 300")])).await;
        let mut command = command(&place, &server, &["wait"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let child = command.spawn().unwrap();
        let begun = place.workspace().join("begun.txt");
        tokio::time::timeout(Duration::from_secs(30), async {
            while !begun.exists() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
        .await
        .expect("the command runs");
        signal_child(&child, signal);
        let output = tokio::time::timeout(Duration::from_secs(30), child.wait_with_output()).await.expect("it ends").unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{stderr}");
        assert!(stderr.contains("interrupted"), "{stderr}");
        assert!(output.stdout.is_empty());
        let [log] = &place.logs()[..] else { panic!("one log: {:?}", place.logs()) };
        let log = Log::read(log);
        assert_eq!(log.events.last().unwrap()["type"], "turn/end");
        place.wait_until_nothing_runs().await;
    }
}
