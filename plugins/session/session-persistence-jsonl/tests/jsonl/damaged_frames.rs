//! Compressed logs with damage that no death of a writer explains: refused, and not changed.

use dsh_session_persistence::PersistenceError;

use crate::world::{World, frame, header, put_zstd, turn};

async fn refusal(bytes: &[u8]) -> String {
    let root = tempfile::tempdir().unwrap();
    let path = put_zstd(root.path(), "s", bytes);
    let error = World::zstd(root.path()).await.load("s").await.unwrap_err();
    assert_eq!(std::fs::read(&path).unwrap(), bytes, "a damaged log is not changed");
    assert!(matches!(error, PersistenceError::Corrupt { .. }), "{error}");
    error.to_string()
}

/// A header and a frame behind it, which `damage` changes.
async fn with_frame(text: &str, damage: impl FnOnce(&mut Vec<u8>)) -> (usize, String) {
    let head = frame(&header("s"));
    let mut second = frame(text);
    damage(&mut second);
    (head.len(), refusal(&[head.clone(), second, frame(&turn(4, 2))].concat()).await)
}

#[tokio::test]
async fn every_line_of_a_whole_frame_must_hold() {
    for (reason, text, words) in [
        ("a gap", turn(1, 1), "event 1 stands where event 0 belongs"),
        ("no JSON", "{\"type\":\n".to_owned(), "EOF while parsing"),
        ("no end", turn(0, 1).trim_end().to_owned(), "its last line has no end"),
        ("a broken line before the end of a turn", "x\n".to_owned() + &turn(0, 1), "a turn ends after it"),
    ] {
        let head = frame(&header("s"));
        let error = refusal(&[head.clone(), frame(&text)].concat()).await;
        assert!(error.contains(&format!("the frame at byte {}: ", head.len())) && error.contains(words), "{reason}: {error}");
    }
}

#[tokio::test]
async fn bytes_that_are_no_frame_are_damage() {
    let good = turn(0, 1);
    let (at, error) = with_frame(&good, |bytes| bytes[0] ^= 1).await;
    assert!(error.contains(&format!("no frame begins at byte {at}")), "{error}");
    let (at, error) = with_frame(&good, |bytes| bytes[4] |= 0x10).await;
    assert!(error.contains(&format!("the frame at byte {at}: it has reserved bits set")), "{error}");
    let (at, error) = with_frame(&good, |bytes| *bytes.last_mut().unwrap() ^= 1).await;
    assert!(error.contains(&format!("the frame at byte {at}: ")) && error.contains("checksum"), "{error}");
    let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let (at, error) = with_frame(&good, |bytes| *bytes = skippable).await;
    assert!(error.contains(&format!("no frame begins at byte {at}")), "{error}");
}

#[tokio::test]
async fn an_unknown_kind_of_block_is_damage() {
    // A raw block of a byte, whose kind is set to the one that is reserved: magic, one segment of a byte, its block.
    let raw = |kind: u8| vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 1 | (kind << 1) | (1 << 3), 0, 0, b'\n'];
    let root = tempfile::tempdir().unwrap();
    put_zstd(root.path(), "s", [frame(&header("s")), raw(0)].concat());
    let error = World::zstd(root.path()).await.load("s").await.unwrap_err().to_string();
    assert!(error.contains("the line at byte"), "the frame itself is one: {error}");
    let error = refusal(&[frame(&header("s")), raw(3)].concat()).await;
    assert!(error.contains("the frame at byte"), "{error}");
}

#[tokio::test]
async fn the_first_frame_holds_the_header_alone() {
    let more = frame(&(header("s") + &turn(0, 1)));
    assert!(refusal(&more).await.contains("the frame at byte 0: it does not hold the header alone"));
    let head = frame(&header("s"));
    assert!(refusal(&head[..head.len() - 1]).await.contains("it has no complete header line"));
    assert!(refusal(b"").await.contains("it has no complete header line"));
    assert!(refusal(&frame("")).await.contains("it does not hold the header alone"));
}

/// A damaged length can make a frame seem to reach past the end of the file, as an incomplete one does. The frames after it tell.
#[tokio::test]
async fn a_frame_that_seems_incomplete_before_others_is_damage() {
    let words: String = (0..8_000).map(|n| format!("{n} ")).collect();
    let long = turn(0, 1) + &format!("{{\"type\":\"session/title\",\"seq\":4,\"time\":1,\"data\":{{\"title\":\"{words}\"}}}}\n");
    // After the magic number: one segment with two bytes of content size and a checksum; then the block's head, which ends with the
    // block's size. The change makes the block 2048 bytes longer.
    let (descriptor, size) = (0x64, 8);
    let (at, error) = with_frame(&long, |bytes| {
        assert_eq!((bytes[4], bytes[size] & 0x40), (descriptor, 0));
        bytes[size] |= 0x40;
    })
    .await;
    assert!(error.contains(&format!("the frame at byte {at}: another one begins before it ends")), "{error}");
}
