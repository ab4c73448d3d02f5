//! Compressed logs: what lies on the disk, and reading it.

use dsh_message::{SessionId, StreamChunk};
use dsh_session::catalogue::{AssistantChunk, StepEnd, StepStart, TurnStart};
use dsh_session_persistence::SessionPersistence;

use crate::world::{NOW, World, frame, frames, header, lines, put_frames, put_zstd, turn, zstd_path};

/// Magic number, then the flag of the content's checksum in the byte after it.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const CHECKSUM: u8 = 0x04;

#[tokio::test]
async fn the_header_is_a_frame_and_so_is_each_event_with_the_pieces_before_it() {
    let root = tempfile::tempdir().unwrap();
    let world = World::zstd(root.path()).await;
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    for text in ["a", "b", "c"] {
        let chunk = StreamChunk::TextDelta { index: 0, text: text.into() };
        session.append(&AssistantChunk { turn: 1, step: 1, chunk }).unwrap();
    }
    session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
    let path = zstd_path(root.path(), "s");
    let bytes = std::fs::read(&path).unwrap();
    let frames = frames(&bytes);
    assert_eq!(frames.len(), 4);
    assert_eq!(frames[0].1, header("s"));
    assert!(frames[1].1.contains("turn/start") && frames[2].1.contains("step/start"));
    let kinds: Vec<&str> = frames[3].1.lines().map(|line| line.split('"').nth(3).unwrap()).collect();
    assert_eq!(kinds, ["text-chunks", "step/end"]);
    for (start, text) in &frames {
        assert!(bytes[*start..].starts_with(&MAGIC) && bytes[start + 4] & CHECKSUM != 0, "{text}");
        assert!(text.ends_with('\n'), "{text}");
    }
    assert_eq!(world.store.locate(SessionId::from("s")).await, Some(path));
    assert!(!world.path("s").exists(), "there is no plain log beside it");
}

#[tokio::test]
async fn a_compressed_session_is_listed_loaded_and_continued() {
    let root = tempfile::tempdir().unwrap();
    let path = put_frames(root.path(), "s", &[&header("s"), &turn(0, 1)]);
    let before = std::fs::read(&path).unwrap();
    let world = World::zstd(root.path()).await;
    assert_eq!(world.store.list().await.unwrap().len(), 1);
    assert_eq!(lines(&world.load("s").await.unwrap()), turn(0, 1));
    assert_eq!(std::fs::read(&path).unwrap(), before, "a whole log is not touched");
    let session = world.resume("s").await.unwrap();
    session.append(&TurnStart { turn: 2 }).unwrap();
    let after = std::fs::read(&path).unwrap();
    assert!(after.starts_with(&before));
    let numbers = frames(&after[before.len()..]);
    assert_eq!(numbers.len(), 2, "the mark and the turn");
    assert_eq!(numbers[1].1, format!("{{\"type\":\"turn/start\",\"seq\":5,\"time\":{NOW},\"data\":{{\"turn\":2}}}}\n"));
}

#[tokio::test]
async fn frames_of_other_writers_are_read() {
    let root = tempfile::tempdir().unwrap();
    let world = World::zstd(root.path()).await;
    // Without a checksum and without the content's length; several lines; no text at all; one of many blocks.
    let bare = |text: &str| zstd::stream::encode_all(text.as_bytes(), 19).unwrap();
    let title = format!(
        "{{\"type\":\"session/title\",\"seq\":8,\"time\":1,\"data\":{{\"title\":\"{}\"}}}}\n",
        (0..100_000).map(|n| format!("{n} ")).collect::<String>()
    );
    let parts = [bare(&header("s")), bare(&turn(0, 1)), bare(""), frame(""), bare(&turn(4, 2)), bare(&title)];
    put_zstd(root.path(), "s", parts.concat());
    assert_eq!(lines(&world.load("s").await.unwrap()), turn(0, 1) + &turn(4, 2) + &title);
}

#[tokio::test]
async fn a_list_looks_at_the_first_frame_alone() {
    let root = tempfile::tempdir().unwrap();
    let world = World::zstd(root.path()).await;
    let torn = &frame(&header("torn"))[..20];
    for (id, bytes) in [
        ("good", [frame(&header("good")), b"no frame at all".to_vec()].concat()),
        ("torn", torn.to_vec()),
        ("broken", b"no frame at all".to_vec()),
        ("more", frame(&(header("more") + &turn(0, 1)))),
        ("huge", frame(&"x".repeat(2_000_000))),
        ("empty", Vec::new()),
    ] {
        put_zstd(root.path(), id, bytes);
    }
    let listed = world.store.list().await.unwrap();
    assert_eq!(listed.iter().map(|header| &*header.id.0).collect::<Vec<_>>(), ["good"]);
}
