//! Signals in unlikely moments. What the first signal does in mid-tool and when input is closed is the matter of the product's own tests
//! (`tests/product/tests/serve/ending.rs`, `tests/product/tests/run.rs`).

use std::process::Stdio;
use std::time::Duration;

use dsh_product_tests::{Place, Signal, binary, signal_child};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::json;

use crate::scene::{NOWHERE, Scene, end, shell};

#[tokio::test]
async fn each_signal_that_asks_for_the_end_gets_it_with_a_closed_log() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 0), (Signal::HUP, 129), (Signal::QUIT, 131)] {
        let mut scene = Scene::start([shell("sleep 300 & sleep 300")]).await;
        scene.client.prompt("s", "wait").await;
        scene.place.wait_until_runs("sleep 300").await;
        scene.client.signal(signal);
        let Scene { place, client, .. } = scene;
        let ended = client.end().await;
        assert_eq!(ended.status, status, "{signal:?}: {}", ended.stderr);
        place.wait_until_nothing_runs().await;
        assert_eq!(end(&place.log("s").events), &json!({ "kind": "aborted", "reason": { "kind": "disposed" } }), "{signal:?}");
    }
}

#[tokio::test]
async fn a_second_signal_ends_it_at_once_with_everything_that_it_started() {
    let mut scene = Scene::start([shell("trap '' INT TERM HUP; sleep 300")]).await;
    scene.client.prompt("s", "wait").await;
    scene.place.wait_until_runs("sleep 300").await;
    scene.client.signal(Signal::INT);
    scene.client.signal(Signal::TERM);
    let Scene { place, client, .. } = scene;
    let status = client.end().await.status;
    // The first may have been carried out before the second came.
    assert!([130, 143].contains(&status), "{status}");
    place.wait_until_nothing_runs().await;
}

#[tokio::test]
async fn a_signal_in_the_first_moments_leaves_nothing_behind() {
    for delay in [0, 1, 2, 4, 8, 16] {
        let place = Place::new();
        let mut command = place.command(&binary("minimal"), NOWHERE);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let child = command.spawn().unwrap();
        tokio::time::sleep(Duration::from_millis(delay)).await;
        signal_child(&child, Signal::TERM);
        let output = tokio::time::timeout(Duration::from_secs(30), child.wait_with_output()).await.expect("it ends").unwrap();
        // Before it can watch for signals, the system ends it.
        let ended = (output.status.code(), std::os::unix::process::ExitStatusExt::signal(&output.status));
        assert!([(Some(0), None), (None, Some(15))].contains(&ended), "{ended:?}");
        assert!(output.stdout.is_empty() && !place.sessions().exists());
        place.wait_until_nothing_runs().await;
    }
}

#[tokio::test]
async fn a_signal_while_a_run_reads_its_task_ends_it_without_a_session() {
    let (place, server) = (Place::new(), MockServer::start(Script::new([Step::text("never said")])).await);
    let mut command = place.command(&binary("minimal"), &server.url());
    command.arg("run").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().unwrap();
    let input = child.stdin.take();
    // It is at work once its start is over, which nothing tells; whenever the signal comes, the outcome is the same.
    tokio::time::sleep(Duration::from_millis(300)).await;
    signal_child(&child, Signal::INT);
    let output = tokio::time::timeout(Duration::from_secs(30), child.wait_with_output()).await.expect("it ends").unwrap();
    drop(input);
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty() && !place.sessions().exists());
    assert_eq!(server.requests(), []);
}
