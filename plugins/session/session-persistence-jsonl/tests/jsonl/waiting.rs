//! Pieces of a stream wait in memory, for a bounded time and in a bounded number.

use std::time::Duration;

use dsh_message::StreamChunk;
use dsh_session::Session;
use dsh_session::catalogue::{AssistantChunk, StepEnd, StepStart, TurnStart};
use std::sync::Arc;

use crate::world::World;

fn delta(session: &Arc<Session>, text: &str) {
    let chunk = StreamChunk::TextDelta { index: 0, text: text.into() };
    session.append(&AssistantChunk { turn: 1, step: 1, chunk }).unwrap();
}

async fn streaming(root: &std::path::Path) -> (World, Arc<Session>) {
    let world = World::at(root).await;
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    (world, session)
}

#[tokio::test(start_paused = true)]
async fn a_window_opens_with_the_first_piece_and_later_pieces_do_not_extend_it() {
    let root = tempfile::tempdir().unwrap();
    let (world, session) = streaming(root.path()).await;
    let before = world.log("s");
    delta(&session, "a");
    tokio::time::sleep(Duration::from_millis(150)).await;
    delta(&session, "b");
    tokio::time::sleep(Duration::from_millis(49)).await;
    assert_eq!(world.log("s"), before);
    tokio::time::sleep(Duration::from_millis(2)).await;
    assert_eq!(world.log("s").lines().count(), before.lines().count() + 2);
    delta(&session, "c");
    tokio::time::sleep(Duration::from_millis(201)).await;
    assert_eq!(world.log("s").lines().count(), before.lines().count() + 3);
}

#[tokio::test(start_paused = true)]
async fn any_other_event_takes_the_waiting_pieces_with_it() {
    let root = tempfile::tempdir().unwrap();
    let (world, session) = streaming(root.path()).await;
    (0..3).for_each(|_| delta(&session, "a"));
    session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
    let log = world.log("s");
    let kinds: Vec<&str> = log.lines().map(|line| line.split('"').nth(3).unwrap()).collect();
    assert_eq!(kinds, ["session", "turn/start", "step/start", "text-chunks", "step/end"]);
    // The window that the pieces opened ends without anything to write.
    tokio::time::sleep(Duration::from_millis(201)).await;
    assert_eq!(world.log("s"), log);
}

#[tokio::test(start_paused = true)]
async fn pieces_that_grow_large_do_not_wait() {
    let root = tempfile::tempdir().unwrap();
    let (world, session) = streaming(root.path()).await;
    delta(&session, &"a".repeat(300_000));
    assert!(world.log("s").len() > 300_000);
}

#[tokio::test(start_paused = true)]
async fn flush_end_and_teardown_write_what_waits() {
    let root = tempfile::tempdir().unwrap();
    let (world, session) = streaming(root.path()).await;
    delta(&session, "flushed");
    assert!(world.sessions.flush(&session).await.unwrap());
    assert!(world.log("s").ends_with("\"text\":\"flushed\"}}}\n"));
    delta(&session, "ended");
    world.sessions.detach(&session);
    assert!(world.log("s").ends_with("\"text\":\"ended\"}}}\n"));
    let other = world.create("t").unwrap();
    other.append(&TurnStart { turn: 1 }).unwrap();
    other.append(&StepStart { turn: 1, step: 1 }).unwrap();
    delta(&other, "torn down");
    world.tear_down().await;
    assert!(world.log("t").ends_with("\"text\":\"torn down\"}}}\n"));
}
