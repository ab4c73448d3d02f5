//! A log that is cut at every byte: what was acknowledged is there, what was open is closed, and the session goes on.

use std::path::PathBuf;
use std::sync::Arc;

use dsh_json::to_text;
use dsh_message::{CallId, ContentBlock, Message, MessageSource, StreamChunk};
use dsh_session::catalogue::{AssistantChunk, AssistantMessage, StepEnd, StepStart, ToolCallRecord, TurnEnd, TurnEndReason, TurnStart};
use dsh_session::{Repair, Session, SessionEvent, SurfaceOp};

use crate::world::{World, header, lines, log_path, zstd_path};

/// What a writer was told: how long the file was when these events had been appended.
struct Acknowledged {
    bytes: usize,
    events: usize,
}

/// A log with a turn that ended and one that is in the middle of a call, and what its writer was told on the way.
struct Written {
    bytes: Vec<u8>,
    events: Vec<Arc<SessionEvent>>,
    acknowledged: Vec<Acknowledged>,
}

struct Writer {
    session: Arc<Session>,
    path: PathBuf,
    written: Written,
}

impl Writer {
    /// Takes an event that was appended, and what is in the file then unless it may wait.
    fn take(&mut self, event: Arc<SessionEvent>) {
        let waits = event.is::<AssistantChunk>();
        self.written.events.push(event);
        if !waits {
            self.written.bytes = std::fs::read(&self.path).unwrap();
            self.written.acknowledged.push(Acknowledged { bytes: self.written.bytes.len(), events: self.written.events.len() });
        }
    }

    fn chunks(&mut self, turn: u64, texts: &[&str]) {
        for text in texts {
            let chunk = StreamChunk::TextDelta { index: 0, text: (*text).into() };
            let event = self.session.append(&AssistantChunk { turn, step: 1, chunk }).unwrap();
            self.take(event);
        }
    }

    fn turn(&mut self, turn: u64) {
        let session = Arc::clone(&self.session);
        self.take(session.append(&TurnStart { turn }).unwrap());
        self.take(session.append(&StepStart { turn, step: 1 }).unwrap());
        self.chunks(turn, &["Hé", "l", "lo"]);
        let content =
            vec![ContentBlock::text("Héllo"), ContentBlock::ToolCall { id: CallId::from("c1"), name: "ls".into(), arguments: "{}".into() }];
        let source = MessageSource::Model { provider: "p".to_owned(), model: "m".to_owned(), replay_state: None };
        let message = Arc::new(Message::assistant("m1".into(), content, source));
        let reply = AssistantMessage { turn, step: 1, message, interrupted: false, usage: None };
        self.take(session.append_message(&reply, SurfaceOp::Append, Some(Vec::new())).unwrap());
        let call = ToolCallRecord { turn, step: 1, call_id: CallId::from("c1"), name: "ls".into(), arguments: "{}".into() };
        self.take(session.append(&call).unwrap());
    }
}

async fn write(world: &World, path: PathBuf) -> Written {
    let session = world.create("s").unwrap();
    let written = Written { bytes: Vec::new(), events: Vec::new(), acknowledged: Vec::new() };
    let mut writer = Writer { session: Arc::clone(&session), path, written };
    writer.take(session.append(&TurnStart { turn: 1 }).unwrap());
    writer.take(session.append(&StepStart { turn: 1, step: 1 }).unwrap());
    writer.chunks(1, &["a", "b", "c", "d"]);
    writer.take(session.append(&StepEnd { turn: 1, step: 1 }).unwrap());
    writer.take(session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap());
    writer.turn(2);
    writer.written
}

fn text<'a>(events: impl IntoIterator<Item = &'a SessionEvent>) -> String {
    events.into_iter().map(|event| to_text(event).unwrap() + "\n").collect()
}

/// The events and what closes them, computed from the events alone.
fn closed(events: &[Arc<SessionEvent>]) -> String {
    let mut repair = Repair::new();
    events.iter().for_each(|event| repair.scan(event));
    text(events.iter().map(|event| &**event)) + &text(&repair.closers().unwrap())
}

async fn cut_everywhere(world: World, again: World, path: PathBuf) {
    let Written { bytes, events, acknowledged } = write(&world, path.clone()).await;
    let session = world.sessions.get(&"s".into()).unwrap();
    world.sessions.detach(&session);
    let header_bytes = if path.extension().unwrap() == "zstd" { crate::world::frames(&bytes)[1].0 } else { header("s").len() };
    for cut in 0..=bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        if cut < header_bytes {
            let error = world.load("s").await.unwrap_err().to_string();
            assert!(error.contains("it has no complete header line"), "{cut}: {error}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes[..cut], "{cut}");
            continue;
        }
        let loaded = lines(&world.load("s").await.unwrap());
        let promised = acknowledged.iter().filter(|told| told.bytes <= cut).map(|told| told.events).max().unwrap_or_default();
        let kept = (promised..=events.len()).find(|kept| closed(&events[..*kept]) == loaded);
        assert!(kept.is_some(), "{cut}: {promised} events were acknowledged, and this was loaded:\n{loaded}");
        assert_eq!(lines(&again.load("s").await.unwrap()), loaded, "{cut}");
        let session = world.take_up("s").await.unwrap();
        let next = session.append(&TurnStart { turn: session.last_turn() + 1 }).unwrap();
        world.sessions.detach(&session);
        // One number further for the mark behind the seed.
        assert_eq!(next.seq, loaded.lines().count() as u64 + 1, "{cut}");
        assert!(lines(&again.load("s").await.unwrap()).starts_with(&loaded), "{cut}");
    }
}

/// Each cut waits for the disk several times, so the store lies in memory where that can be had.
fn root() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

#[tokio::test]
async fn a_plain_log_may_end_anywhere() {
    let root = root();
    cut_everywhere(World::at(root.path()).await, World::at(root.path()).await, log_path(root.path(), "s")).await;
}

#[tokio::test]
async fn a_compressed_log_may_end_anywhere() {
    let root = root();
    cut_everywhere(World::zstd(root.path()).await, World::zstd(root.path()).await, zstd_path(root.path(), "s")).await;
}
