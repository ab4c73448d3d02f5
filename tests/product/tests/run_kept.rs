//! `BIN run … --out DIR`: what is left of a run that a signal ends, and how a second start goes on.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use dsh_product_tests::{Log, Place, Signal, binary, run_to_end, signal_child};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};
use tokio::process::Command;

/// The command of the run, and where its verdict comes to lie.
fn command(place: &Place, server: &MockServer) -> (Command, PathBuf) {
    let mut command = place.command(&binary("minimal"), &server.url());
    command.args(["run", "wait", "for it", "--out", "out", "--run-id", "r", "--task-id", "t"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    (command, place.workspace().join("out/r/t/verdict.json"))
}

/// Starts the run with a tool that would go on for minutes, and ends the process by a signal while it does. Yields its status and
/// how long its end took.
async fn ended_by(signal: Signal, place: &Place) -> (std::process::ExitStatus, Duration) {
    let shell = Step::tool("bash", &json!({ "command": "sleep 300" }));
    let server = MockServer::start(Script::new([shell])).await;
    let (mut command, verdict) = command(place, &server);
    let child = command.spawn().unwrap();
    place.wait_until_runs("sleep 300").await;
    assert!(!verdict.exists(), "the verdict comes last");
    signal_child(&child, signal);
    let signalled = Instant::now();
    let output = tokio::time::timeout(Duration::from_secs(30), child.wait_with_output()).await.expect("it ends").unwrap();
    (output.status, signalled.elapsed())
}

/// Starts the run again with a model that answers at once, and yields the verdict.
async fn again(place: &Place) -> Value {
    let server = MockServer::start(Script::new([Step::text("It came.")])).await;
    let (command, verdict) = command(place, &server);
    let ended = run_to_end(command).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "It came.\n"), "{}", ended.stderr);
    assert_eq!(server.requests().len(), 1);
    serde_json::from_str(&fs::read_to_string(verdict).unwrap()).unwrap()
}

#[tokio::test]
async fn a_terminated_run_has_its_record_and_verdict_within_two_seconds() {
    let place = Place::new();
    let (status, took) = ended_by(Signal::TERM, &place).await;
    assert_eq!(status.code(), Some(143));
    assert!(took < Duration::from_secs(2), "{took:?}");
    let verdict: Value = serde_json::from_str(&fs::read_to_string(place.workspace().join("out/r/t/verdict.json")).unwrap()).unwrap();
    assert_eq!((&verdict["outcome"], &verdict["exit"]), (&json!("interrupted"), &json!(143)));
    assert_eq!(verdict["composition"]["profile"], "minimal");
    assert_eq!(verdict["composition"]["digest"].as_str().map(str::len), Some(16));
    let [log] = &place.logs()[..] else { panic!("one log: {:?}", place.logs()) };
    assert_eq!(verdict["logPath"], json!(log));
    assert_eq!(Log::read(log).events.last().unwrap()["type"], "turn/end");

    let second = again(&place).await;
    assert_eq!((&second["sessionId"], &second["outcome"], &second["steps"]), (&verdict["sessionId"], &json!("completed"), &json!(2)));
    place.wait_until_nothing_runs().await;
}

#[tokio::test]
async fn a_killed_run_has_no_verdict_and_goes_on_in_the_same_session() {
    let place = Place::new();
    let (status, _) = ended_by(Signal::KILL, &place).await;
    assert_eq!(status.code(), None);
    assert!(!place.workspace().join("out/r/t/verdict.json").exists());
    let verdict = again(&place).await;
    assert_eq!((&verdict["outcome"], &verdict["steps"]), (&json!("completed"), &json!(2)));
    assert_eq!(place.logs().len(), 1, "the run goes on in its session");

    let server = MockServer::start(Script::new([Step::text("never said")])).await;
    let ended = run_to_end(command(&place, &server).0).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "It came.\n"), "{}", ended.stderr);
    assert_eq!(server.requests(), [], "a run that has ended asks no model");
    place.wait_until_nothing_runs().await;
}
