//! Clients that stop reading, and standard streams that are closed.

use std::process::Stdio;
use std::time::Duration;

use dsh_product_tests::{Log, Place, Signal, binary, signal_child};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::scene::{assert_told, shell};

/// Longest wait for an end.
const PATIENCE: Duration = Duration::from_secs(60);

fn frame(method: &str, params: &Value) -> Vec<u8> {
    (json!({ "id": 1, "method": method, "params": params }).to_string() + "\n").into_bytes()
}

/// A serving process whose output nobody reads, initialised.
async fn unread(place: &Place, server: &MockServer) -> Child {
    let mut command = place.command(&binary("minimal"), &server.url());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let params = json!({ "cwd": place.workspace(), "provider": "deepseek-official", "model": "m" });
    child.stdin.as_mut().unwrap().write_all(&frame("initialize", &params)).await.unwrap();
    child
}

async fn ended(mut child: Child) -> (Option<i32>, String) {
    let status = timeout(PATIENCE, child.wait()).await.expect("it ends").unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).await.unwrap();
    (status.code(), stderr)
}

#[tokio::test]
async fn a_client_that_stops_reading_is_given_up_with_closed_logs() {
    let (place, server) = (Place::new(), MockServer::start(Script::new([Step::text("done")])).await);
    let mut child = unread(&place, &server).await;
    // Each prompt is told twice.
    let text = "x".repeat(6 << 20);
    let mut input = child.stdin.take().unwrap();
    for number in 0..6 {
        let params = json!({ "sessionId": format!("s{number}"), "contentBlocks": [{ "type": "text", "text": text }] });
        // The process may end in the middle of one.
        let _ = timeout(PATIENCE, input.write_all(&frame("session/prompt", &params))).await.expect("input is taken");
    }
    let (status, stderr) = ended(child).await;
    assert_eq!(status, Some(1), "{stderr}");
    assert_told(&stderr, &["the client does not read"]);
    place.wait_until_nothing_runs().await;
    for path in place.logs() {
        let kinds: Vec<Value> = Log::read(&path).events.iter().map(|event| event["type"].clone()).collect();
        let of = |kind: &str| kinds.iter().filter(|found| **found == kind).count();
        assert_eq!(of("turn/start"), of("turn/end"), "{kinds:?}");
    }
}

#[tokio::test]
async fn a_client_that_stops_reading_does_not_hold_up_a_signal() {
    let (place, server) = (Place::new(), MockServer::start(Script::new([shell("seq 1 3000; sleep 300")])).await);
    let mut child = unread(&place, &server).await;
    let text = "x".repeat(1 << 20);
    let params = json!({ "sessionId": "s", "contentBlocks": [{ "type": "text", "text": text }] });
    child.stdin.as_mut().unwrap().write_all(&frame("session/prompt", &params)).await.unwrap();
    place.wait_until_runs("sleep 300").await;
    signal_child(&child, Signal::TERM);
    let (status, stderr) = ended(child).await;
    assert_eq!(status, Some(0), "{stderr}");
    assert_told(&stderr, &["did not read the last frames"]);
    place.wait_until_nothing_runs().await;
    assert_eq!(place.log("s").kinds().last(), Some(&"turn/end"));
}

#[tokio::test]
async fn a_client_that_closes_the_output_ends_the_process_in_order() {
    let (place, server) = (Place::new(), MockServer::start(Script::new([shell("sleep 300")])).await);
    let mut child = unread(&place, &server).await;
    let params = json!({ "sessionId": "s", "contentBlocks": [{ "type": "text", "text": "hello" }] });
    child.stdin.as_mut().unwrap().write_all(&frame("session/prompt", &params)).await.unwrap();
    place.wait_until_runs("sleep 300").await;
    drop(child.stdout.take());
    // The next frame finds nobody.
    child.stdin.as_mut().unwrap().write_all(&frame("nothing", &json!({}))).await.unwrap();
    let (status, stderr) = ended(child).await;
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    place.wait_until_nothing_runs().await;
    assert_eq!(place.log("s").kinds().last(), Some(&"turn/end"));
}

/// Starts a command whose streams a shell arranges, and waits for its end.
async fn arranged(place: &Place, server: &MockServer, script: &str) -> (Option<i32>, String, String) {
    let mut command: Command = place.command("sh".as_ref(), &server.url());
    command.args(["-c", script]).arg(binary("minimal")).stdin(Stdio::null()).kill_on_drop(true);
    let output = timeout(PATIENCE, command.output()).await.expect("it ends").unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[tokio::test]
async fn a_run_whose_answer_nobody_takes_says_so() {
    let (place, server) = (Place::new(), MockServer::start(Script::new([Step::text("the answer")])).await);
    let (status, _, stderr) = arranged(&place, &server, "{ \"$0\" run task; echo \"status $?\" >&2; } | true").await;
    assert_eq!(status, Some(0));
    assert_told(&stderr, &["status 5", "the answer was not printed"]);
    assert_eq!(place.logs().len(), 1);
}

#[tokio::test]
async fn streams_that_are_closed_from_the_start_are_no_panic_and_no_file_is_mistaken_for_them() {
    for (closed, allowed) in [("<&-", &[0][..]), (">&-", &[0, 5]), ("2>&-", &[0]), ("<&- >&- 2>&-", &[0, 5])] {
        let (place, server) = (Place::new(), MockServer::start(Script::new([Step::text("the answer")])).await);
        let (status, stdout, _) = arranged(&place, &server, &format!("\"$0\" run task {closed}")).await;
        assert!(status.is_some_and(|status| allowed.contains(&status)), "{closed}: {status:?}");
        assert_eq!(stdout.as_str(), if closed.contains(">&-") && closed != "2>&-" { "" } else { "the answer\n" }, "{closed}");
        let [log] = &place.logs()[..] else { panic!("{closed}: one log: {:?}", place.logs()) };
        assert_eq!(Log::read(log).kinds().last(), Some(&"turn/end"), "{closed}: the log holds events alone");

        let (status, stdout, _) = arranged(&place, &server, &format!("\"$0\" {closed}")).await;
        assert_eq!((status, stdout.as_str()), (Some(0), ""), "{closed}: a serving process whose input is at its end");
    }
}
