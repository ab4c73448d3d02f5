//! Disks that take no more: nothing is torn, nothing is lost while it can be held, and whoever flushes is told.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use dsh_session::catalogue::{StepStart, ToolCallRecord, TurnEnd, TurnEndReason, TurnStart};
use dsh_session::{NewSession, Session};
use dsh_session_persistence::PersistenceError;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
use std::sync::Arc;

use crate::child;
use crate::world::{World, header, lines, log_path, put, turn, zstd_path};

#[tokio::test]
async fn a_log_that_cannot_be_made_is_made_later_with_everything() {
    let root = tempfile::tempdir().unwrap();
    let obstacle = root.path().join("--w--");
    std::fs::write(&obstacle, "").unwrap();
    let world = World::at(root.path()).await;
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    let error = world.sessions.flush(&session).await.unwrap_err().to_string();
    assert!(error.starts_with("the log of session \"s\" cannot be written: ") && error.contains("--w--"), "{error}");
    std::fs::remove_file(&obstacle).unwrap();
    session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap();
    assert!(world.sessions.flush(&session).await.unwrap());
    assert_eq!(world.log("s").lines().count(), 3);
    assert_eq!(lines(&world.load("s").await.unwrap()).lines().count(), 2);
}

#[tokio::test]
async fn a_flush_alone_tries_again() {
    let root = tempfile::tempdir().unwrap();
    let obstacle = root.path().join("--w--");
    std::fs::write(&obstacle, "").unwrap();
    let world = World::at(root.path()).await;
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    std::fs::remove_file(&obstacle).unwrap();
    assert!(world.sessions.flush(&session).await.unwrap());
    assert_eq!(world.log("s").lines().count(), 2);
}

#[tokio::test]
async fn a_session_whose_first_events_cannot_be_written_is_not_created() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("--w--"), "").unwrap();
    let world = World::at(root.path()).await;
    let new = NewSession { cwd: Some("/w".to_owned()), ..NewSession::default() };
    let error = world.create_with("s", new, Some(Vec::new())).err().unwrap().to_string();
    assert!(error.contains("cannot be written"), "{error}");
    assert!(world.sessions.get(&"s".into()).is_none());
}

/// A limit of file sizes acts on a whole process and ends one that does not ignore its signal, so the case runs in a child.
#[test]
fn a_full_disk_tears_nothing_and_is_left_behind_when_there_is_room_again() {
    const CASE: &str = "failing::a_full_disk_tears_nothing_and_is_left_behind_when_there_is_room_again";
    child::case(CASE, async {
        let root = tempfile::tempdir().unwrap();
        full_disk(World::at(root.path()).await, log_path(root.path(), "s")).await;
    });
}

#[test]
fn a_full_disk_tears_no_frame() {
    child::case("failing::a_full_disk_tears_no_frame", async {
        let root = tempfile::tempdir().unwrap();
        full_disk(World::zstd(root.path()).await, zstd_path(root.path(), "s")).await;
    });
}

async fn full_disk(world: World, log: PathBuf) {
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    let written = std::fs::read(&log).unwrap();
    // Room for a part of the next record.
    limit(Some(written.len() as u64 + 10));
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    assert_eq!(std::fs::read(&log).unwrap(), written, "a record that did not fit leaves no part");
    assert!(world.sessions.flush(&session).await.unwrap_err().to_string().contains("cannot be written"));
    hold_all_it_may(&session);
    assert_eq!(std::fs::read(&log).unwrap(), written);
    limit(None);
    assert!(world.sessions.flush(&session).await.unwrap());
    let length = session.length();
    session.append(&TurnEnd { turn: 9, reason: TurnEndReason::Completed }).unwrap();
    assert!(std::fs::read(&log).unwrap().starts_with(&written));
    assert_eq!(session.length(), length + 1);
    let numbers = world.load("s").await.unwrap().events.into_iter().map(|event| event.seq);
    assert_eq!(numbers.collect::<Vec<_>>(), (0..=length).collect::<Vec<_>>());
}

/// Appends until the session takes no more.
fn hold_all_it_may(session: &Arc<Session>) {
    let reason = TurnEndReason::Aborted { reason: dsh_session::catalogue::AbortCause::Hook { reason: "x".repeat(1_000_000) } };
    let refused = (0..32).find_map(|_| session.append(&TurnEnd { turn: 1, reason: reason.clone() }).err());
    let error = refused.expect("memory is bounded").to_string();
    assert!(error.starts_with("`turn/end` was refused: the log of session \"s\" cannot be written"), "{error}");
}

fn limit(bytes: Option<u64>) {
    let Rlimit { maximum, .. } = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: bytes.or(maximum), maximum }).unwrap();
}

#[tokio::test]
async fn a_log_that_was_removed_takes_no_event_and_that_is_told() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    std::fs::remove_dir_all(root.path().join("--w--")).unwrap();
    session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap();
    let error = world.sessions.flush(&session).await.unwrap_err().to_string();
    assert!(error.contains("/--w--/s/session.jsonl: the log was removed while its session was live"), "{error}");
    assert!(!root.path().join("--w--").exists(), "nothing is made in its place");
    assert!(matches!(world.load("s").await.unwrap_err(), PersistenceError::Io { .. }));
}

#[tokio::test]
async fn a_folder_that_was_removed_before_the_first_event_is_made_again() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(&root.path().join("store")).await;
    let first = world.create("s").unwrap();
    first.append(&TurnStart { turn: 1 }).unwrap();
    let second = world.create("t").unwrap();
    std::fs::remove_dir_all(root.path().join("store")).unwrap();
    second.append(&TurnStart { turn: 1 }).unwrap();
    assert!(world.sessions.flush(&second).await.unwrap());
    assert_eq!(world.log("t").lines().count(), 2);
}

/// A superuser may write everywhere, so the case gives that up; a thread cannot take it back, so it runs in a child.
#[test]
fn a_folder_that_must_not_be_written_is_told_and_left_alone() {
    child::case("failing::a_folder_that_must_not_be_written_is_told_and_left_alone", async {
        let mut own = capabilities(None).unwrap();
        own.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
        set_capabilities(None, own).unwrap();
        let root = tempfile::tempdir().unwrap();
        let log = put(root.path(), "s", header("s") + &turn(0, 1) + "{\"torn\":");
        let (folder, before) = (log.parent().unwrap(), std::fs::read(&log).unwrap());
        let allow = |mode| std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode)).unwrap();
        let world = World::at(root.path()).await;
        allow(0o500);
        let error = world.load("s").await.unwrap_err();
        assert!(matches!(error, PersistenceError::Io { .. }), "{error}");
        assert!(error.to_string().contains("session.lock: Permission denied"), "{error}");
        assert_eq!(std::fs::read(&log).unwrap(), before, "what cannot be locked is not repaired");
        allow(0o700);
        assert_eq!(lines(&world.load("s").await.unwrap()), turn(0, 1));
        // A log of its own is held in memory as long as it has no place.
        std::fs::set_permissions(root.path(), std::fs::Permissions::from_mode(0o500)).unwrap();
        let session = world.create_with("t", NewSession { cwd: Some("/v".to_owned()), ..NewSession::default() }, None).unwrap();
        session.append(&TurnStart { turn: 1 }).unwrap();
        let error = world.sessions.flush(&session).await.unwrap_err().to_string();
        assert!(error.contains("Permission denied"), "{error}");
        std::fs::set_permissions(root.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        assert!(world.sessions.flush(&session).await.unwrap());
        assert!(root.path().join("--v--/t/session.jsonl").exists());
    });
}

fn call(id: &str) -> ToolCallRecord {
    ToolCallRecord { turn: 1, step: 1, call_id: id.into(), name: "bash".into(), arguments: "{}".into() }
}

#[tokio::test]
async fn a_call_that_cannot_be_written_is_refused_and_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let obstacle = root.path().join("--w--");
    std::fs::write(&obstacle, "").unwrap();
    let world = World::at(root.path()).await;
    let session = world.create("s").unwrap();
    let error = session.append(&call("c1")).unwrap_err().to_string();
    assert!(error.starts_with("`tool/call` was refused: the log of session \"s\" cannot be written") && error.contains("--w--"), "{error}");
    assert_eq!(session.length(), 0);
    std::fs::remove_file(&obstacle).unwrap();
    session.append(&call("c2")).unwrap();
    let log = world.log("s");
    assert!(log.lines().count() == 2 && log.contains("\"c2\""), "{log}");
}

#[tokio::test]
async fn a_call_is_written_after_what_was_held_and_refused_with_it() {
    let root = tempfile::tempdir().unwrap();
    let obstacle = root.path().join("--w--");
    std::fs::write(&obstacle, "").unwrap();
    let world = World::at(root.path()).await;
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&call("c1")).unwrap_err();
    std::fs::remove_file(&obstacle).unwrap();
    session.append(&call("c2")).unwrap();
    let log = world.log("s");
    let records: Vec<&str> = log.lines().skip(1).collect();
    assert!(records.len() == 2 && records[0].contains("turn/start") && records[1].contains("\"c2\""), "{log}");
}

#[tokio::test]
async fn a_call_that_was_written_and_then_refused_by_another_listener_is_taken_back() {
    for made_before in [true, false] {
        let root = tempfile::tempdir().unwrap();
        let world = World::at(root.path()).await;
        let session = world.create("s").unwrap();
        if made_before {
            session.append(&TurnStart { turn: 1 }).unwrap();
        }
        let length = session.length();
        world.refuse_after_the_store("c1");
        session.append(&call("c1")).unwrap_err();
        assert_eq!(session.length(), length);
        session.append(&call("c2")).unwrap();
        let log = world.log("s");
        assert!(log.lines().count() as u64 == 1 + length + 1 && !log.contains("\"c1\""), "{log}");
    }
}
