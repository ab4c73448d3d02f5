//! One writer for each session, across processes.

use std::io::{BufRead, BufReader};

use dsh_session::catalogue::{TurnEnd, TurnEndReason, TurnStart};
use dsh_session_persistence::PersistenceError;

use crate::child;
use crate::world::{NOW, World, header, lines, put, turn};

#[test]
fn the_lock_is_that_of_its_process_and_dies_with_it() {
    const CASE: &str = "locking::the_lock_is_that_of_its_process_and_dies_with_it";
    if child::is_child(CASE) {
        return child::block_on(write_and_wait());
    }
    let root = tempfile::tempdir().unwrap();
    let mut writer = child::start(CASE, root.path());
    let said = BufReader::new(writer.stdout.take().unwrap()).lines().map(Result::unwrap).find(|line| line.ends_with("written"));
    assert!(said.is_some(), "the child wrote");
    child::block_on(async {
        let world = World::at(root.path()).await;
        let before = world.log("s");
        for error in [world.load("s").await.unwrap_err(), world.claim("s").await.err().unwrap()] {
            let PersistenceError::InUse { id, path, writer: holder } = &error else { panic!("{error}") };
            assert_eq!((&*id.0, path), ("s", &world.path("s").with_file_name("session.lock")));
            assert_eq!(*holder, Some(writer.id()));
        }
        assert_eq!(world.log("s"), before, "a log that is being written is not repaired");
        writer.kill().unwrap();
        writer.wait().unwrap();
        let repaired =
            format!("{{\"type\":\"turn/end\",\"seq\":1,\"time\":{NOW},\"data\":{{\"turn\":1,\"reason\":{{\"kind\":\"interrupted\"}}}}}}\n");
        assert_eq!(lines(&world.load("s").await.unwrap()).lines().count(), 2);
        assert_eq!(world.log("s"), before + &repaired);
        assert!(world.path("s").with_file_name("session.lock").exists(), "the file stays");
    });
}

async fn write_and_wait() {
    let world = World::at(&child::path()).await;
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    println!("written");
    // Ends when the other process does, should that forget to end this one.
    let _ = std::io::stdin().lines().next();
}

#[tokio::test]
async fn two_that_make_the_same_session_are_told_apart_at_the_first_event() {
    let root = tempfile::tempdir().unwrap();
    let (first, second) = (World::at(root.path()).await, World::at(root.path()).await);
    let (one, other) = (first.create("s").unwrap(), second.create("s").unwrap());
    one.append(&TurnStart { turn: 1 }).unwrap();
    other.append(&TurnStart { turn: 1 }).unwrap();
    let words = second.sessions.flush(&other).await.unwrap_err().to_string();
    let process = std::process::id();
    assert!(words.contains(&format!("another writer (process {process}) holds ")) && words.ends_with("/--w--/s/session.lock"), "{words}");
    // Also when the first one is gone: its log is not continued by a session that does not know it.
    first.sessions.detach(&one);
    let words = second.sessions.flush(&other).await.unwrap_err().to_string();
    assert!(words.contains("session.jsonl: File exists"), "{words}");
    assert_eq!(first.log("s").lines().count(), 2);
}

#[tokio::test]
async fn a_session_that_ended_is_free_and_its_lock_file_is_no_session() {
    let root = tempfile::tempdir().unwrap();
    let (first, second) = (World::at(root.path()).await, World::at(root.path()).await);
    put(root.path(), "s", header("s") + &turn(0, 1));
    let session = first.resume("s").await.unwrap();
    session.append(&TurnStart { turn: 2 }).unwrap();
    session.append(&TurnEnd { turn: 2, reason: TurnEndReason::Completed }).unwrap();
    assert!(matches!(second.load("s").await.unwrap_err(), PersistenceError::InUse { .. }));
    first.sessions.detach(&session);
    let session = second.resume("s").await.unwrap();
    assert_eq!(session.last_turn(), 2);
    second.tear_down().await;
    // A turn, a mark, a turn, a mark.
    assert_eq!(first.load("s").await.unwrap().events.len(), 4 + 1 + 2 + 1);
}
