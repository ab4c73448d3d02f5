//! Reading without a change, whoever writes.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dsh_message::SessionId;
use dsh_session::catalogue::{AssistantChunk, TurnStart};
use dsh_session_persistence::{Inspection, LogSource, PersistenceError, SessionPersistence};

use crate::world::{World, frame, header, put, put_frames, turn, zstd_path};

/// What a log shows: the types of its events, and what is known of it.
async fn inspect(world: &World, source: LogSource) -> Result<(Vec<String>, Inspection), PersistenceError> {
    let kinds: Arc<Mutex<Vec<String>>> = Arc::default();
    let taker = Arc::clone(&kinds);
    let take = Box::new(move |event: dsh_session::SessionEvent| {
        taker.lock().unwrap_or_else(PoisonError::into_inner).push(event.kind.into_owned());
    });
    let inspection = world.store.inspect(source, take).await?;
    let kinds = std::mem::take(&mut *kinds.lock().unwrap());
    Ok((kinds, inspection))
}

fn stored() -> LogSource {
    LogSource::Stored(SessionId::from("s"))
}

const TURN: [&str; 4] = ["turn/start", "step/start", "step/end", "turn/end"];

/// All that lies in a folder, with the bytes of files.
fn world_of(root: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(world_of(&path)) } else { found.push((path.clone(), std::fs::read(&path).unwrap())) }
    }
    found.sort();
    found
}

#[tokio::test]
async fn a_torn_log_is_shown_as_it_will_be_repaired_and_left_as_it_is() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "s", header("s") + &turn(0, 1) + "{\"type\":\"turn/start\",\"seq\":4,\"time\":5,\"data\":{\"turn\":2}}\n{\"ty");
    let before = world_of(root.path());
    let world = World::at(root.path()).await;
    let (kinds, inspection) = inspect(&world, stored()).await.unwrap();
    assert_eq!(kinds, [TURN.as_slice(), &["turn/start", "turn/end"]].concat());
    assert_eq!((inspection.closers, inspection.is_live, &*inspection.header.id.0), (1, false, "s"));
    assert_eq!(world_of(root.path()), before, "not even a lock file was made");
}

#[tokio::test]
async fn a_compressed_log_with_a_torn_frame_too() {
    let root = tempfile::tempdir().unwrap();
    put_frames(root.path(), "s", &[&header("s"), &turn(0, 1)]);
    let path = zstd_path(root.path(), "s");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(&frame(&turn(4, 2))[..9]);
    std::fs::write(&path, &bytes).unwrap();
    let (kinds, inspection) = inspect(&World::zstd(root.path()).await, stored()).await.unwrap();
    assert_eq!((kinds.as_slice(), inspection.closers), (TURN.map(str::to_owned).as_slice(), 0));
    assert_eq!(std::fs::read(path).unwrap(), bytes);
}

#[tokio::test]
async fn a_live_log_is_shown_whole_and_open_and_its_writer_goes_on() {
    let root = tempfile::tempdir().unwrap();
    let (writer, other) = (World::at(root.path()).await, World::at(root.path()).await);
    let session = writer.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&dsh_session::catalogue::StepStart { turn: 1, step: 1 }).unwrap();
    let chunk = dsh_message::StreamChunk::TextDelta { index: 0, text: "x".into() };
    session.append(&AssistantChunk { turn: 1, step: 1, chunk }).unwrap();
    let (kinds, inspection) = inspect(&other, stored()).await.unwrap();
    assert_eq!((kinds, inspection.is_live, inspection.closers), (vec!["turn/start".to_owned(), "step/start".to_owned()], true, 0));
    let (kinds, inspection) = inspect(&writer, stored()).await.unwrap();
    assert_eq!((kinds.last().unwrap().as_str(), inspection.is_live), ("assistant/chunk", true), "the own process knows what waits");
    session.append(&dsh_session::catalogue::StepEnd { turn: 1, step: 1 }).unwrap();
    writer.sessions.detach(&session);
    assert!(!inspect(&other, stored()).await.unwrap().1.is_live, "its lock file stays, and nobody holds it");
}

/// Somebody looks as an inspection does, and far more often.
#[tokio::test]
async fn looking_keeps_no_writer_away() {
    let root = tempfile::tempdir().unwrap();
    let lock = put(root.path(), "s", header("s") + &turn(0, 1)).with_file_name("session.lock");
    let world = World::at(root.path()).await;
    drop(world.claim("s").await.unwrap());
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let looker = std::thread::spawn(move || {
        let file = std::fs::File::open(lock).unwrap();
        while !stopped.load(Ordering::Relaxed) {
            let _ = file.try_lock_shared();
            std::thread::yield_now();
            let _ = file.unlock();
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
    });
    for _ in 0..500 {
        drop(world.claim("s").await.unwrap());
    }
    stop.store(true, Ordering::Relaxed);
    looker.join().unwrap();
}

#[tokio::test]
async fn a_file_anywhere_is_read_by_its_first_bytes() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(&root.path().join("store")).await;
    let (plain, compressed) = (root.path().join("a.log"), root.path().join("b.log"));
    std::fs::write(&plain, header("x") + &turn(0, 1)).unwrap();
    std::fs::write(&compressed, [frame(&header("x")), frame(&turn(0, 1))].concat()).unwrap();
    for path in [plain, compressed] {
        let (kinds, inspection) = inspect(&world, LogSource::File(path)).await.unwrap();
        assert_eq!((kinds.len(), &*inspection.header.id.0), (4, "x"));
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_told_with_its_place() {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    let file = root.path().join("f");
    let words = async |source: LogSource| inspect(&world, source).await.unwrap_err().to_string();
    assert_eq!(words(stored()).await, "session \"s\" not found");
    for (bytes, told) in [
        (String::new(), "it has no complete header line"),
        (header("x").replace("\"version\":0", "\"version\":1"), "it was written by a newer version, format 1; this version reads format 0"),
        (
            header("x") + "{\"type\":\"acme/thing\",\"seq\":0,\"time\":1,\"data\":1}\n",
            "event 0 has the type `acme/thing`, which this version does not know",
        ),
    ] {
        std::fs::write(&file, bytes).unwrap();
        assert_eq!(words(LogSource::File(file.clone())).await, format!("the log {} cannot be read: {told}", file.display()));
    }
    std::fs::remove_file(&file).unwrap();
    assert_eq!(words(LogSource::File(file.clone())).await, format!("{}: No such file or directory (os error 2)", file.display()));
    let path = put(root.path(), "s", header("other") + &turn(0, 1));
    assert_eq!(
        words(stored()).await,
        format!("the stored log of session \"s\" is corrupt: its header names session \"other\": {}", path.display())
    );
}
