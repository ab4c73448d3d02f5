//! Sessions that begin with events of another one: their logs hold these events themselves.

use std::sync::{Arc, Mutex, PoisonError};

use dsh_message::SessionId;
use dsh_session::{NewSession, SessionEvent};
use dsh_session_persistence::{Fork, LogSource, SessionPersistence};

use crate::world::{NOW, World, frames, header, lines, put, turn, zstd_path};

/// What a fork of the session `s` begins with.
pub async fn fork(world: &World, at: Option<u64>) -> Fork {
    let events: Arc<Mutex<Vec<SessionEvent>>> = Arc::default();
    let taker = Arc::clone(&events);
    let take = Box::new(move |event| taker.lock().unwrap_or_else(PoisonError::into_inner).push(event));
    let inspection = world.store.inspect(LogSource::Stored(SessionId::from("s")), take).await.unwrap();
    let events = std::mem::take(&mut *events.lock().unwrap());
    Fork::of(&inspection.header, events, at).unwrap()
}

fn child_header(length: u64) -> String {
    header("child").replace("\"delegationDepth\"", &format!("\"parentSession\":\"s\",\"seedLength\":{length},\"delegationDepth\""))
}

fn mark(seq: u64) -> String {
    format!("{{\"type\":\"session/end-seed\",\"seq\":{seq},\"time\":{NOW},\"data\":{{}}}}\n")
}

/// A row of three deltas in a step of a turn: seven events from `seq` on.
fn turn_with_row(seq: u64, number: u64) -> String {
    let whole =
        turn(seq, number).replace(&format!("\"seq\":{},", seq + 2), "\"seq\":A,").replace(&format!("\"seq\":{},", seq + 3), "\"seq\":B,");
    let (first, rest) = whole.split_at(whole.match_indices('\n').nth(1).unwrap().0 + 1);
    let row = format!(
        "{{\"type\":\"text-chunks\",\"seq0\":{},\"time0\":{NOW},\"data\":{{\"turn\":{number},\"step\":1,\"index\":0,\"dt\":[0,0],\"texts\":[\"a\",\"b\",\"c\"]}}}}\n",
        seq + 2
    );
    format!("{first}{row}{rest}")
        .replace("\"seq\":A,", &format!("\"seq\":{},", seq + 5))
        .replace("\"seq\":B,", &format!("\"seq\":{},", seq + 6))
}

#[tokio::test]
async fn a_fork_is_a_log_of_its_own_with_the_same_lines() {
    let root = tempfile::tempdir().unwrap();
    let log = header("s") + &turn_with_row(0, 1) + &turn(7, 2);
    put(root.path(), "s", &log);
    let world = World::at(root.path()).await;
    let Fork { session, seed } = fork(&world, Some(3)).await;
    let fork = world.create_with("child", session, Some(seed)).unwrap();
    assert_eq!(world.log("child"), child_header(7) + &turn_with_row(0, 1) + &mark(7));
    assert_eq!((fork.last_turn(), fork.length(), fork.first_live_seq()), (1, 8, 7));
    assert_eq!(world.log("s"), log, "the other session is not changed");
    world.sessions.detach(&fork);

    // Taken up again, it keeps what its header says, and a fork of it names it alone.
    let again = world.take_up("child").await.unwrap();
    assert_eq!((again.header().parent_session.as_ref().unwrap(), again.header().seed_length), (&"s".into(), Some(7)));
    assert_eq!(world.log("child"), child_header(7) + &turn_with_row(0, 1) + &mark(7), "one mark is enough");
    assert_eq!(world.load("child").await.unwrap().events.len(), 8);
}

#[tokio::test]
async fn a_fork_appears_with_all_that_it_inherits_or_not_at_all() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "s", header("s") + &turn(0, 1));
    let world = World::zstd(root.path()).await;
    let seed = World::at(root.path()).await.load("s").await.unwrap().events;
    let new = NewSession { cwd: Some("/w".to_owned()), parent_session: Some("s".into()), seed_length: Some(4), ..NewSession::default() };
    world.create_with("child", new.clone(), Some(seed.clone())).unwrap();
    let texts: Vec<String> = frames(&std::fs::read(zstd_path(root.path(), "child")).unwrap()).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, [child_header(4), turn(0, 1) + &mark(4)], "what is inherited is one batch with the mark");

    let obstacle = zstd_path(root.path(), "other").parent().unwrap().to_owned();
    std::fs::write(&obstacle, "").unwrap();
    let error = world.create_with("other", new, Some(seed)).err().unwrap().to_string();
    assert!(error.contains("cannot be written"), "{error}");
    assert!(world.sessions.get(&"other".into()).is_none());
}

#[tokio::test]
async fn a_session_whose_log_was_removed_is_not_taken_up_without_it() {
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), "s", header("s") + &turn_with_row(0, 1));
    let world = World::at(root.path()).await;
    let resumed = world.claim("s").await.unwrap();
    std::fs::remove_file(path).unwrap();
    let session = world.sessions.resume(resumed.header, resumed.seed).unwrap();
    let error = world.publish(&session).unwrap_err().to_string();
    assert_eq!(error, "session \"s\" was refused: session \"s\" begins with 7 events of a log that is not in the store any more");
}

#[tokio::test]
async fn a_fork_of_a_torn_log_has_the_turn_that_its_writer_did_not_end() {
    let root = tempfile::tempdir().unwrap();
    let torn = header("s") + &turn(0, 1) + "{\"type\":\"turn/start\",\"seq\":4,\"time\":5,\"data\":{\"turn\":2}}\n{\"type\":\"st";
    let path = put(root.path(), "s", &torn);
    let world = World::at(root.path()).await;
    let Fork { session, seed } = fork(&world, None).await;
    let fork = world.create_with("child", session, Some(seed)).unwrap();
    assert_eq!((fork.last_turn(), fork.open_turn(), fork.length()), (2, None, 7));
    assert!(world.log("child").contains("\"seq\":5,\"time\":5,\"data\":{\"turn\":2,\"reason\":{\"kind\":\"interrupted\"}}"));
    assert_eq!(std::fs::read_to_string(path).unwrap(), torn, "the other session is repaired when it is taken up, not now");
}

#[tokio::test]
async fn a_fork_of_a_live_session_has_its_finished_turns() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "s", header("s") + &turn(0, 1));
    let (writer, other) = (World::at(root.path()).await, World::at(root.path()).await);
    let session = writer.resume("s").await.unwrap();
    session.append(&dsh_session::catalogue::TurnStart { turn: 2 }).unwrap();
    for world in [&writer, &other] {
        let Fork { seed, .. } = fork(world, None).await;
        assert_eq!(
            lines(&dsh_session_persistence::StoredSession { header: session.header().clone(), events: seed }),
            turn(0, 1) + &mark(4)
        );
    }
}
