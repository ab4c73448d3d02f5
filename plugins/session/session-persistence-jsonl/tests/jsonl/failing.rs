//! Disks that take no more: nothing is torn, nothing is lost while it can be held, and whoever flushes is told.

use std::process::Command;

use dsh_session::catalogue::{StepStart, TurnEnd, TurnEndReason, TurnStart};
use dsh_session::{NewSession, Session};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::sync::Arc;

use crate::world::{World, config, header, lines};

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
    if std::env::var_os("DSH_TEST_FULL_DISK").is_some() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        return runtime.block_on(full_disk());
    }
    let this = std::env::current_exe().unwrap();
    let script = "trap '' XFSZ; exec \"$0\" --exact \"$1\" --nocapture";
    let child = Command::new("sh").args(["-c", script]).arg(this).arg(CASE).env("DSH_TEST_FULL_DISK", "1").output().unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned() + &String::from_utf8_lossy(&child.stderr);
    assert!(child.status.success() && said.contains("1 passed"), "{said}");
}

async fn full_disk() {
    let root = tempfile::tempdir().unwrap();
    let world = World::with(config(root.path())).await;
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    let written = world.log("s");
    // Room for a part of the next line.
    limit(Some(written.len() as u64 + 10));
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    assert_eq!(world.log("s"), written, "a line that did not fit leaves no part");
    assert!(world.sessions.flush(&session).await.unwrap_err().to_string().contains("cannot be written"));
    assert_eq!(world.log("s"), written);
    hold_all_it_may(&session);
    assert_eq!(world.log("s"), written);
    limit(None);
    assert!(world.sessions.flush(&session).await.unwrap());
    let length = session.length();
    session.append(&TurnStart { turn: 9 }).unwrap();
    let log = world.log("s");
    assert!(log.starts_with(&(header("s") + written.lines().nth(1).unwrap())));
    for (seq, line) in log.lines().skip(1).enumerate() {
        assert!(line.contains(&format!("\"seq\":{seq},")), "{}", &line[..60]);
    }
    assert_eq!(log.lines().count() as u64, 1 + length + 1);
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
