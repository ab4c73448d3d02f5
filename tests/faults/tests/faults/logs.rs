//! Stored logs that are torn, gapped, from elsewhere, or written by somebody else at this moment.

use std::fs;
use std::path::PathBuf;

use dsh_product_tests::{Client, Place, binary, events_of};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::json;

use crate::scene::{NOWHERE, Scene, assert_completed, assert_told, run_in, shell};

/// A place with the log of one turn of the session `s`, and the log's path.
async fn stored() -> (Place, PathBuf) {
    let mut scene = Scene::start([shell("echo kept").and_text("I look."), Step::text("done")]).await;
    assert_completed(&scene.turn("s", "hello").await);
    let (place, _) = scene.close().await;
    let path = place.log_path("s");
    (place, path)
}

/// Sees that a damaged log is refused by both ways in, and not changed.
async fn assert_refused(place: &Place, path: &PathBuf, told: &[&str]) {
    let before = fs::read(path).unwrap();
    let mut client = Client::start(place.command(&binary("minimal"), NOWHERE));
    client.initialize(&place.workspace()).await;
    let error = client.request("session/resume", &json!({ "sessionId": "s" })).await.unwrap_err();
    assert_eq!(error["code"], -32603);
    assert_told(error["message"].as_str().unwrap(), told);
    let again = client.request("session/resume", &json!({ "sessionId": "s" })).await.unwrap_err();
    assert_eq!(again, error, "a refusal leaves nothing open");
    assert_eq!(client.close().await.status, 0);
    let ended = run_in(place, NOWHERE, &["--resume", "s", "go on"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, told);
    assert_eq!(fs::read(path).unwrap(), before, "the file is as it was");
}

/// Changes the lines of a log.
fn edit(path: &PathBuf, change: impl FnOnce(&mut Vec<String>)) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    fs::write(path, lines.join("\n") + "\n").unwrap();
}

#[tokio::test]
async fn a_torn_end_is_cut_off_and_closed_wherever_it_is_torn() {
    let (place, path) = stored().await;
    let whole = fs::read(&path).unwrap();
    let (head, length) = (whole.iter().position(|byte| *byte == b'\n').unwrap() + 1, whole.len());
    let server = MockServer::start(Script::new([Step::text("going on")])).await;
    for at in [head + 1, head + (length - head) / 3, head + (length - head) / 2, length - 2, length - 1] {
        fs::write(&path, &whole[..at]).unwrap();
        let mut client = Client::start(place.command(&binary("minimal"), &server.url()));
        client.initialize(&place.workspace()).await;
        assert_eq!(client.request("session/resume", &json!({ "sessionId": "s" })).await, Ok(json!({})), "torn at {at}");
        let events = events_of(&client.turn("s", "go on").await, "s");
        assert_completed(&events);
        assert_eq!(client.close().await.status, 0);
        let lines = whole[..at].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
        let after = fs::read(&path).unwrap();
        assert!(after.starts_with(&whole[..lines]), "what was whole stays");
        let log = place.log("s");
        let numbers: Vec<u64> = log.events.iter().filter_map(|event| event["seq"].as_u64()).collect();
        assert_eq!(numbers, (0..log.events.len() as u64).collect::<Vec<_>>(), "torn at {at}");
        let kinds = log.kinds();
        let of = |kind: &str| kinds.iter().filter(|found| **found == kind).count();
        assert_eq!(
            (of("turn/start"), of("step/start"), of("tool/call")),
            (of("turn/end"), of("step/end"), of("tool/result")),
            "torn at {at}"
        );
    }
}

#[tokio::test]
async fn a_gap_in_the_middle_is_refused() {
    let (place, path) = stored().await;
    edit(&path, |lines| drop(lines.remove(4)));
    assert_refused(&place, &path, &["the stored log of session \"s\" is corrupt", path.to_str().unwrap()]).await;
}

#[tokio::test]
async fn a_line_that_is_no_json_is_refused() {
    let (place, path) = stored().await;
    edit(&path, |lines| lines[3] = "{\"type\": oops".to_owned());
    assert_refused(&place, &path, &["corrupt", path.to_str().unwrap()]).await;
}

#[tokio::test]
async fn binary_in_place_of_a_log_is_refused() {
    let (place, path) = stored().await;
    let bytes: Vec<u8> = (0..=255_u8).cycle().take(10_000).collect();
    fs::write(&path, bytes).unwrap();
    assert_refused(&place, &path, &[path.to_str().unwrap()]).await;
}

#[tokio::test]
async fn a_log_of_a_newer_version_is_refused_with_both_versions() {
    let (place, path) = stored().await;
    edit(&path, |lines| lines[0] = lines[0].replace("\"version\":0", "\"version\":7"));
    assert_refused(&place, &path, &["cannot be read by this version", "7", "0", path.to_str().unwrap()]).await;
}

#[tokio::test]
async fn an_event_that_this_version_does_not_know_is_refused_by_name() {
    let (place, path) = stored().await;
    edit(&path, |lines| {
        let line = lines.iter_mut().find(|line| line.contains("\"type\":\"turn/end\"")).unwrap();
        *line = line.replace("turn/end", "turn/vanished");
    });
    assert_refused(&place, &path, &["turn/vanished", path.to_str().unwrap()]).await;
}

#[tokio::test]
async fn a_log_of_the_other_compression_is_told_with_the_setting_that_reads_it_and_hinders_no_other() {
    let (place, path) = stored().await;
    let other = path.with_file_name("session.jsonl.zstd");
    fs::rename(&path, &other).unwrap();
    assert_refused(&place, &other, &["compression", "zstd", other.to_str().unwrap()]).await;
    let server = MockServer::start(Script::new([Step::text("done")])).await;
    let scene = Scene::start_as(place.command(&binary("minimal"), &server.url()), place, server).await;
    let mut scene = scene;
    assert_completed(&scene.turn("another", "hello").await);
    assert_eq!(scene.client.close().await.status, 0);
}

#[tokio::test]
async fn a_session_that_another_process_writes_is_told_with_that_process() {
    let mut scene = Scene::start([Step::text("one"), Step::text("two")]).await;
    assert_completed(&scene.turn("s", "hello").await);
    let path = scene.place.log_path("s");
    assert_refused(
        &scene.place,
        &path,
        &["session \"s\" is already owned by an active write handle", "process ", path.parent().unwrap().to_str().unwrap()],
    )
    .await;
    assert_completed(&scene.turn("s", "it is not disturbed").await);
    scene.close().await;
}

#[tokio::test]
async fn a_session_that_is_not_there_is_told_by_its_id() {
    let (place, _) = stored().await;
    let ended = run_in(&place, NOWHERE, &["--resume", "t", "go on"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (5, ""), "{}", ended.stderr);
    assert_told(&ended.stderr, &["session \"t\" not found"]);
}
