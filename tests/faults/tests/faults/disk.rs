//! A disk that is full. One test bounds the size of files (`RLIMIT_FSIZE`, its signal ignored), one mounts a small file system in a mount
//! namespace of the process's own, which takes privileges.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Program;

use dsh_product_tests::{Log, Place, binary, events_of};
use dsh_testkit::{MockServer, Script, Step};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::json;
use tokio::process::Command;

use crate::scene::{Scene, assert_completed, assert_told, count, failure, results, shell};

/// A command that starts the binary through a shell, whose word `$0` is the binary.
fn through(place: &Place, server: &MockServer, script: &str) -> Command {
    let mut command = place.command(Path::new("sh"), &server.url());
    command.args(["-c", script]).arg(binary("minimal"));
    command
}

#[tokio::test]
async fn what_does_not_fit_is_held_no_call_runs_without_its_record_and_all_is_written_once_there_is_room() {
    let place = Place::new();
    let much = || shell("seq 1 1000; echo ran >> calls.txt");
    let server = MockServer::start(Script::new([much(), much(), much(), much(), Step::text("there is room")])).await;
    // Blocks of 512 bytes.
    let command = through(&place, &server, "trap '' XFSZ; ulimit -S -f 24; exec \"$0\"");
    let mut scene = Scene::start_as(command, place, server).await;
    let first = scene.turn("s", "print much").await;
    let log = scene.place.log_path("s");
    let refused = failure(&first, "UNKNOWN")["message"].as_str().unwrap();
    assert_told(refused, &["`tool/call` was refused", "cannot be written", log.to_str().unwrap(), "File too large"]);
    let last = results(&first).pop().unwrap();
    assert_told(last, &["Error: the call was not started", "File too large"]);

    let text = fs::read_to_string(&log).unwrap();
    assert!(text.ends_with('\n'), "no line is half written");
    let written = Log::parse(&text).events;
    assert!(first.starts_with(&written) && written.len() < first.len(), "a beginning is written");
    let ran = fs::read_to_string(scene.place.workspace().join("calls.txt")).unwrap().lines().count();
    assert_eq!((count(&written, "tool/call"), count(&first, "tool/call")), (ran, ran), "what ran is on record");
    assert_eq!(count(&first, "tool/result"), ran + 1);

    prlimit(Some(process_of(&log)), Resource::Fsize, Rlimit { current: None, maximum: None }).unwrap();
    let second = scene.turn("s", "again").await;
    assert_completed(&second);
    let (place, ended) = scene.close().await;
    assert_told(&ended.stderr, &["the log of session \"s\" cannot be written", log.to_str().unwrap(), "File too large"]);
    assert_eq!(place.log("s").events, [first, second].concat(), "nothing is lost");
}

/// The process that holds a log's lock.
fn process_of(log: &Path) -> Pid {
    let lock = log.with_file_name("session.lock");
    let found = fs::read_dir("/proc").unwrap().flatten().find(|process| {
        let open = fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten();
        open.into_iter().any(|file| fs::read_link(file.path()).is_ok_and(|target| target == lock))
    });
    let id = found.expect("a process holds the lock").file_name().to_string_lossy().parse().unwrap();
    Pid::from_raw(id).unwrap()
}

#[tokio::test]
async fn a_full_file_system_refuses_new_sessions_and_is_usable_again_once_there_is_room() {
    let place = Place::new();
    fs::create_dir(place.sessions()).unwrap();
    let mount = "mount -t tmpfs -o size=64k tmpfs \"$DSH_SESSION_ROOT\"";
    let possible = Program::new("unshare").args(["-m", "sh", "-c", mount]).env("DSH_SESSION_ROOT", place.sessions()).output();
    if !possible.is_ok_and(|output| output.status.success()) {
        println!("skipped: no file system can be mounted in a namespace here (it takes root)");
        return;
    }
    let server = MockServer::start(Script::new([Step::text("one"), Step::text("two"), Step::text("three")])).await;
    let command = through(
        &place,
        &server,
        &format!("exec unshare -m sh -c '{mount} && echo mounted > \"$DSH_SESSION_ROOT/mark\" && exec \"$0\"' \"$0\""),
    );
    let mut scene = Scene::start_as(command, place, server).await;
    let seen = seen_from_inside(&scene.place);
    let ballast = seen.join("ballast");
    fill(&ballast);

    let from = scene.client.seen.len();
    let params = json!({ "sessionId": "full", "contentBlocks": [{ "type": "text", "text": "hello" }] });
    let error = scene.client.request("session/prompt", &params).await.expect_err("what is answered is on record");
    assert_told(error["message"].as_str().unwrap(), &["cannot be written", "No space left on device"]);
    assert!(events_of(&scene.client.seen[from..], "full").iter().all(|event| event["type"] != "turn/start"), "nothing was begun");

    fs::remove_file(&ballast).unwrap();
    let events = scene.turn("full", "the id is free").await;
    assert_completed(&events);
    let log = log_below(&seen);
    assert_eq!(Log::read(&log).events, events);

    // A record may fit in the log's last block; then the turn runs.
    fill(&ballast);
    let from = scene.client.seen.len();
    let taken = scene.client.request("session/prompt", &params).await;
    fs::remove_file(&ballast).unwrap();
    if taken.is_ok() {
        scene.client.wait_since(from, "the session to be idle", |frame| frame.is_idle("full")).await;
    }
    assert_completed(&scene.turn("full", "again").await);
    let told = events_of(&scene.client.seen, "full");
    assert_eq!(Log::read(&log).events, told, "nothing is lost");
    let ended = scene.client.close().await;
    assert_eq!(ended.status, 0);
    assert_told(&ended.stderr, &["No space left on device"]);
}

/// The session root as the process sees it that has mounted its own.
fn seen_from_inside(place: &Place) -> PathBuf {
    let inside = |process: fs::DirEntry| {
        let root = process.path().join("root").join(place.sessions().strip_prefix("/").unwrap());
        root.join("mark").exists().then_some(root)
    };
    fs::read_dir("/proc").unwrap().flatten().find_map(inside).expect("the process has mounted its file system")
}

/// Takes all the room that is left.
fn fill(ballast: &Path) {
    let mut length = 64 * 1024;
    while length > 0 {
        match fs::write(ballast, vec![0; length]) {
            Ok(()) => return,
            Err(_) => length -= 4096,
        }
    }
    panic!("there was no room at all");
}

fn log_below(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let found = entries.filter_map(|path| if path.is_dir() { Some(log_below(&path)) } else { None }).next();
    found.unwrap_or_else(|| folder.join("session.jsonl"))
}
