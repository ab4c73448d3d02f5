//! Sessions that are taken up again, and ids that are used again.

use dsh_session::NewSession;
use dsh_session::catalogue::{TurnEnd, TurnEndReason, TurnStart};

use crate::world::{NOW, World, header, lines, put, turn};

fn mark(seq: u64) -> String {
    format!("{{\"type\":\"session/end-seed\",\"seq\":{seq},\"time\":{NOW},\"data\":{{}}}}\n")
}

#[tokio::test]
async fn a_resumed_session_continues_its_file() {
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), "s", header("s") + &turn(0, 1));
    let world = World::at(root.path()).await;
    let session = world.resume("s").await.unwrap();
    session.append(&TurnStart { turn: 2 }).unwrap();
    session.append(&TurnEnd { turn: 2, reason: TurnEndReason::Completed }).unwrap();
    let second = format!(
        "{{\"type\":\"turn/start\",\"seq\":5,\"time\":{NOW},\"data\":{{\"turn\":2}}}}\n\
         {{\"type\":\"turn/end\",\"seq\":6,\"time\":{NOW},\"data\":{{\"turn\":2,\"reason\":{{\"kind\":\"completed\"}}}}}}\n"
    );
    assert_eq!(std::fs::read_to_string(path).unwrap(), header("s") + &turn(0, 1) + &mark(4) + &second);
}

#[tokio::test]
async fn resuming_twice_without_work_leaves_one_mark() {
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), "s", header("s") + &turn(0, 1));
    for _ in 0..2 {
        let world = World::at(root.path()).await;
        let session = world.resume("s").await.unwrap();
        world.sessions.detach(&session);
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), header("s") + &turn(0, 1) + &mark(4));
}

#[tokio::test]
async fn a_log_that_ends_with_a_row_is_continued_after_its_last_member() {
    let root = tempfile::tempdir().unwrap();
    let row = "{\"type\":\"text-chunks\",\"seq0\":4,\"time0\":1,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[1,1],\"texts\":[\"a\",\"b\",\"c\"]}}\n";
    let path = put(root.path(), "s", header("s") + &turn(0, 1) + row);
    World::at(root.path()).await.resume("s").await.unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), header("s") + &turn(0, 1) + row + &mark(7));
}

#[tokio::test]
async fn a_header_without_events_is_taken_up() {
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), "s", header("s"));
    World::at(root.path()).await.resume("s").await.unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), header("s") + &mark(0));
}

#[tokio::test]
async fn a_long_last_line_is_found() {
    let root = tempfile::tempdir().unwrap();
    let title = |seq: u64, length: usize| {
        format!("{{\"type\":\"session/title\",\"seq\":{seq},\"time\":1,\"data\":{{\"title\":\"{}\"}}}}\n", "x".repeat(length))
    };
    let log = header("s") + &title(0, 10) + &title(1, 500_000);
    let path = put(root.path(), "s", &log);
    World::at(root.path()).await.resume("s").await.unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), log + &mark(2));
}

#[tokio::test]
async fn an_id_that_is_stored_is_taken() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "s", header("s") + &turn(0, 1));
    let world = World::at(root.path()).await;
    for cwd in ["/w", "/elsewhere"] {
        let error = world.create_with("s", NewSession { cwd: Some(cwd.to_owned()), ..NewSession::default() }, None).err().unwrap();
        assert_eq!(error.to_string(), "session \"s\" was refused: session \"s\" already exists", "{cwd}");
        assert!(world.sessions.get(&"s".into()).is_none());
    }
}

#[tokio::test]
async fn a_session_that_another_writer_has_is_in_use() {
    let root = tempfile::tempdir().unwrap();
    let first = World::at(root.path()).await;
    let session = first.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    let log = first.log("s");
    let second = World::at(root.path()).await;
    let words = format!(
        "session \"s\" is already owned by an active write handle of process {}: {}",
        std::process::id(),
        first.path("s").with_file_name("session.lock").display()
    );
    assert_eq!(second.load("s").await.unwrap_err().to_string(), words);
    assert_eq!(first.log("s"), log, "a log that is being written is not repaired");
    session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap();
    first.sessions.detach(&session);
    assert_eq!(lines(&second.load("s").await.unwrap()).lines().count(), 2);
}

#[tokio::test]
async fn a_log_that_grew_since_it_was_loaded_is_not_taken_up() {
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), "s", header("s") + &turn(0, 1));
    let world = World::at(root.path()).await;
    let stored = world.load("s").await.unwrap();
    std::fs::write(&path, header("s") + &turn(0, 1) + &turn(4, 2)).unwrap();
    let session = world.sessions.restore(stored.header, Some(stored.events)).unwrap();
    world.sessions.enter(&session).unwrap();
    let error = world.sessions.announce(&session).unwrap_err().to_string();
    assert!(error.contains("begins with 4 events, but its log holds 8"), "{error}");
}
