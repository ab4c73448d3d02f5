//! Sessions that are taken up through a fold of their logs.

use dsh_message::StreamChunk;
use dsh_session::catalogue::{AssistantChunk, StepEnd, StepStart, TurnEnd, TurnEndReason, TurnStart};
use dsh_session_persistence::PersistenceError;

use crate::world::{Lines, NOW, World, header, lines, put, put_frames, turn};

#[tokio::test]
async fn a_session_is_taken_up_without_the_pieces_of_its_streams() {
    let root = tempfile::tempdir().unwrap();
    for (world, id) in [(World::at(root.path()).await, "plain"), (World::zstd(root.path()).await, "packed")] {
        let session = world.create(id).unwrap();
        session.append(&TurnStart { turn: 1 }).unwrap();
        session.append(&StepStart { turn: 1, step: 1 }).unwrap();
        for _ in 0..5 {
            let chunk = StreamChunk::TextDelta { index: 0, text: "a".into() };
            session.append(&AssistantChunk { turn: 1, step: 1, chunk }).unwrap();
        }
        session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
        session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap();
        world.sessions.detach(&session);
        let claimed = world.claim(id).await.unwrap();
        let session = world.sessions.resume(claimed.header, claimed.seed).unwrap();
        let seed = session.seed();
        let Lines(folded) = seed.get().unwrap();
        let kinds: Vec<_> = folded.iter().map(|line| line.split('"').nth(3).unwrap()).collect();
        assert_eq!(kinds, ["turn/start", "step/start", "step/end", "turn/end"]);
        assert_eq!((session.first_live_seq(), session.length()), (9, 10));
        world.publish(&session).unwrap();
        session.append(&TurnStart { turn: 2 }).unwrap();
        session.append(&TurnEnd { turn: 2, reason: TurnEndReason::Completed }).unwrap();
        let events = world.load(id).await.unwrap().events;
        assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_claim_keeps_others_away_until_it_is_dropped_or_the_session_ends() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "s", header("s") + &turn(0, 1));
    let (world, other) = (World::at(root.path()).await, World::at(root.path()).await);
    let is_in_use = async |world: &World| matches!(world.load("s").await, Err(PersistenceError::InUse { .. }));
    let claimed = world.claim("s").await.unwrap();
    assert!(is_in_use(&other).await && is_in_use(&world).await, "also in the process that has the claim");
    drop(claimed);
    assert!(!is_in_use(&other).await);
    let claimed = world.claim("s").await.unwrap();
    let session = world.sessions.resume(claimed.header, claimed.seed).unwrap();
    world.publish(&session).unwrap();
    drop(claimed.claim);
    assert!(is_in_use(&other).await, "the session holds the lock now");
    assert!(matches!(world.claim("s").await.err().unwrap(), PersistenceError::InUse { .. }), "a live session is not taken up");
    world.sessions.detach(&session);
    assert!(!is_in_use(&other).await);
}

#[tokio::test]
async fn a_log_that_was_written_past_its_lock_is_not_taken_up() {
    let root = tempfile::tempdir().unwrap();
    let more = turn(0, 1) + &turn(4, 2);
    let plain = put(root.path(), "plain", header("plain") + &turn(0, 1));
    let packed = put_frames(root.path(), "packed", &[&header("packed"), &turn(0, 1)]);
    for (world, id, path) in [(World::at(root.path()).await, "plain", plain), (World::zstd(root.path()).await, "packed", packed)] {
        let claimed = world.claim(id).await.unwrap();
        match id {
            "plain" => drop(put(root.path(), id, header(id) + &more)),
            _ => drop(put_frames(root.path(), id, &[&header(id), &more])),
        }
        let before = std::fs::read(&path).unwrap();
        let session = world.sessions.resume(claimed.header, claimed.seed).unwrap();
        let error = world.publish(&session).unwrap_err().to_string();
        assert!(error.contains("begins with 4 events, but its log holds 8"), "{error}");
        assert_eq!(std::fs::read(path).unwrap(), before);
    }
}

#[tokio::test]
async fn what_was_open_is_closed_before_the_session_goes_on() {
    let root = tempfile::tempdir().unwrap();
    let start = format!("{{\"type\":\"turn/start\",\"seq\":0,\"time\":{NOW},\"data\":{{\"turn\":1}}}}\n");
    put(root.path(), "s", header("s") + &start + "{\"torn");
    let world = World::at(root.path()).await;
    let claimed = world.claim("s").await.unwrap();
    let session = world.sessions.resume(claimed.header, claimed.seed).unwrap();
    let seed = session.seed();
    let Lines(seed) = seed.get().unwrap();
    assert!(seed[1].contains("\"kind\":\"interrupted\""), "{seed:?}");
    assert_eq!(world.log("s"), header("s") + &seed.concat());
    drop(claimed.claim);
    assert_eq!(lines(&World::at(root.path()).await.load("s").await.unwrap()), seed.concat());
}
