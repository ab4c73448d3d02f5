//! Sessions of this process as readers see them.

use dsh_message::{SessionId, StreamChunk};
use dsh_session::catalogue::{AssistantChunk, StepEnd, StepStart, TurnEnd, TurnEndReason, TurnStart};
use dsh_session_persistence::{PersistenceError, SessionPersistence};

use crate::world::{World, lines};

#[tokio::test]
async fn a_live_session_is_read_between_turns_and_never_repaired() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    let session = world.create("s").unwrap();
    assert!(matches!(world.load("s").await.unwrap_err(), PersistenceError::NotFound(_)));
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    let chunk = StreamChunk::TextDelta { index: 0, text: "a".into() };
    session.append(&AssistantChunk { turn: 1, step: 1, chunk }).unwrap();
    assert!(matches!(world.load("s").await.unwrap_err(), PersistenceError::InUse { .. }));
    session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
    session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap();
    assert_eq!(lines(&world.load("s").await.unwrap()).lines().count(), 5);
    assert!(world.store.exists(SessionId::from("s")).await.unwrap());
    assert!(!world.store.exists(SessionId::from("t")).await.unwrap());
}

#[tokio::test]
async fn a_live_log_that_somebody_else_damaged_is_not_read_as_a_shorter_one() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap();
    let damaged = world.log("s").replace("turn/end", "turn\u{0}end");
    std::fs::write(world.path("s"), damaged).unwrap();
    let error = world.load("s").await.unwrap_err();
    assert!(matches!(&error, PersistenceError::Corrupt { reason, .. } if reason.contains("its live session wrote")), "{error}");
}
