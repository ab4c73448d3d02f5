//! Compressed logs whose writer died while it wrote: what a frame holds that is not whole is kept and written anew.

use crate::world::{NOW, World, frame, frames, header, lines, put_zstd, turn};

/// Loads a log and yields its events as lines, then the text of each frame of the file.
async fn load(bytes: &[u8]) -> (String, Vec<String>) {
    let root = tempfile::tempdir().unwrap();
    let path = put_zstd(root.path(), "s", bytes);
    let world = World::zstd(root.path()).await;
    let loaded = lines(&world.load("s").await.unwrap());
    let after = std::fs::read(&path).unwrap();
    assert_eq!(lines(&world.load("s").await.unwrap()), loaded);
    assert_eq!(std::fs::read(&path).unwrap(), after, "the second time there is nothing to repair");
    (loaded, frames(&after).into_iter().map(|(_, text)| text).collect())
}

fn start(seq: u64, turn: u64) -> String {
    format!("{{\"type\":\"turn/start\",\"seq\":{seq},\"time\":{NOW},\"data\":{{\"turn\":{turn}}}}}\n")
}

fn interrupted(seq: u64, turn: u64) -> String {
    format!("{{\"type\":\"turn/end\",\"seq\":{seq},\"time\":{NOW},\"data\":{{\"turn\":{turn},\"reason\":{{\"kind\":\"interrupted\"}}}}}}\n")
}

#[tokio::test]
async fn a_frame_that_lacks_its_last_byte_loses_no_event() {
    let whole = [frame(&header("s")), frame(&turn(0, 1)), frame(&turn(4, 2))].concat();
    let (loaded, after) = load(&whole[..whole.len() - 1]).await;
    assert_eq!(loaded, turn(0, 1) + &turn(4, 2));
    assert_eq!(after, [header("s"), turn(0, 1), turn(4, 2)]);
}

#[tokio::test]
async fn the_beginning_of_a_magic_number_is_cut_off() {
    let whole = [frame(&header("s")), frame(&turn(0, 1))].concat();
    for rest in [&frame(&turn(4, 2))[..2], &frame(&turn(4, 2))[..4], &frame(&turn(4, 2))[..5]] {
        let (loaded, after) = load(&[&whole, rest].concat()).await;
        assert_eq!(loaded, turn(0, 1));
        assert_eq!(after, [header("s"), turn(0, 1)]);
    }
}

#[tokio::test]
async fn what_was_kept_and_what_closes_it_are_one_frame() {
    let torn = frame(&(turn(0, 1) + &start(4, 2)));
    let bytes = [frame(&header("s")), torn[..torn.len() - 4].to_vec()].concat();
    let (loaded, after) = load(&bytes).await;
    assert_eq!(loaded, turn(0, 1) + &start(4, 2) + &interrupted(5, 2));
    assert_eq!(after, [header("s"), loaded]);
}

/// Blocks have 128 KiB at most, so the first one of a larger frame can be whole when the frame is not.
#[tokio::test]
async fn of_a_large_frame_the_lines_that_are_whole_are_kept() {
    let title = |seq: u64| {
        let noise: String = (0..60_000).map(|n: u64| char::from(b'a' + u8::try_from((n * n * (seq + 7) / 11) % 26).unwrap())).collect();
        format!("{{\"type\":\"session/title\",\"seq\":{seq},\"time\":1,\"data\":{{\"title\":\"{noise}\"}}}}\n")
    };
    let titles: Vec<String> = (0..6).map(title).collect();
    let torn = frame(&titles.concat());
    let bytes = [frame(&header("s")), torn[..torn.len() - 100].to_vec()].concat();
    let (loaded, after) = load(&bytes).await;
    let kept = loaded.lines().count();
    assert!((1..6).contains(&kept), "{kept}");
    assert_eq!(loaded, titles[..kept].concat());
    assert_eq!(after, [header("s"), loaded]);
}

/// The lines of a frame that is not whole are those of a plain end: the first that does not hold ends them.
#[tokio::test]
async fn a_broken_line_of_a_torn_frame_ends_what_is_kept() {
    let torn = frame(&(turn(0, 1) + &start(5, 2) + &start(6, 2)));
    let bytes = [frame(&header("s")), torn[..torn.len() - 1].to_vec()].concat();
    let (loaded, after) = load(&bytes).await;
    assert_eq!(loaded, turn(0, 1));
    assert_eq!(after, [header("s"), turn(0, 1)]);
}
