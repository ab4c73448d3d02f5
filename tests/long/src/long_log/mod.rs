//! Very long logs: one is written, taken up, and what the model is sent then is compared with what the log says.

mod conversation;
mod writer;

use std::fs::OpenOptions;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use dsh_product_tests::Place;
use dsh_testkit::{MockServer, Script, Step};
use serde_json::json;

use crate::gauge::{self, Gauge};
use crate::peer::Peer;
use crate::stored;
pub use writer::Shape;

/// Longest time of a turn with thousands of steps, for a model server that reads every request as a whole.
const LONGEST_TURN: Duration = Duration::from_secs(3600);

/// What taking a log up showed.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Events in the log.
    pub events: u64,
    /// Bytes of its file.
    pub bytes: u64,
    /// Messages of the conversation that is in force.
    pub messages: usize,
    /// Before the log was taken up.
    pub before: Gauge,
    /// After the turn that followed.
    pub after: Gauge,
    /// How long taking it up took.
    pub taken_up_in: Duration,
}

/// Writes a log of `events` events or a few more, takes it up and lets the model answer once.
///
/// # Errors
/// Where the model was sent something else than the log says, or something failed.
pub async fn take_up(binary: &Path, compression: &str, shape: Shape, events: u64) -> Result<Figures, String> {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("I am here.")])).await;
    let start = || {
        let mut command = place.command(binary, &server.url());
        command.env("DSH_SESSION_COMPRESSION", compression);
        Peer::start(command, drop)
    };
    // The product itself makes the log, so that it lies where it belongs and has its header.
    let peer = start();
    peer.initialize(&place.workspace()).await;
    turn(&peer, "begin").await?;
    end(&peer).await?;
    let path = place.log_path("long");
    let begun = stored::read(&path)?.ok_or("the log has no header")?;
    let file = OpenOptions::new().append(true).open(&path).map_err(|error| error.to_string())?;
    let written = if compression == "zstd" {
        let mut encoder = zstd::stream::write::Encoder::new(file, 3).map_err(|error| error.to_string())?;
        // Many frames, as a writer makes them, would only take longer.
        let written = writer::write(&mut encoder, &begun.events, shape, events);
        encoder.finish().map_err(|error| error.to_string())?;
        written
    } else {
        let mut file = BufWriter::with_capacity(1 << 20, file);
        let written = writer::write(&mut file, &begun.events, shape, events);
        file.flush().map_err(|error| error.to_string())?;
        written
    };
    let written = written.map_err(|error| error.to_string())?;
    let bytes = path.metadata().map_err(|error| error.to_string())?.len();

    let peer = start();
    peer.initialize(&place.workspace()).await;
    let before = gauge::look(peer.pid());
    let begin = Instant::now();
    match peer.request("session/resume", &json!({ "sessionId": "long" })).await {
        Some(Ok(_)) => {}
        other => return Err(format!("the log is not taken up: {other:?}")),
    }
    let taken_up_in = begin.elapsed();
    turn(&peer, "go on").await?;
    let after = gauge::look(peer.pid());
    end(&peer).await?;
    let sent = conversation::sent(&server.requests().last().ok_or("the model was asked nothing")?.body());
    let expected = conversation::expected(&path)?;
    if sent != expected {
        let at = sent.iter().zip(&expected).position(|(sent, expected)| sent != expected);
        return Err(format!("the model was sent {} messages of {}; the first other one is {at:?}", sent.len(), expected.len()));
    }
    Ok(Figures { events: written, bytes, messages: sent.len(), before, after, taken_up_in })
}

/// Processor time of the process for each of so many steps of one turn, in nanoseconds.
///
/// # Errors
/// When the process or the model fails.
pub async fn steps(binary: &Path, count: u64) -> Result<Vec<u64>, String> {
    let place = Place::new();
    let server = MockServer::start(Script::answering(move |body| {
        let replies = body["messages"].as_array().map_or(0, Vec::len) / 2;
        if replies as u64 >= count {
            return Step::text("done");
        }
        Step::tool("str_replace_editor", &json!({ "command": "view", "path": "/proc/self/nothing" })).and_text("once more")
    }))
    .await;
    let marks = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let (kept, pid) = (std::sync::Arc::clone(&marks), std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0)));
    let of = std::sync::Arc::clone(&pid);
    let peer = Peer::start(place.command(binary, &server.url()), move |frame| {
        if frame.kind() == "step/end" {
            let used = gauge::look(of.load(std::sync::atomic::Ordering::Relaxed)).processor_nanoseconds;
            kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(used);
        }
    });
    pid.store(peer.pid(), std::sync::atomic::Ordering::Relaxed);
    peer.initialize(&place.workspace()).await;
    turn(&peer, "work").await?;
    end(&peer).await?;
    let marks = std::mem::take(&mut *marks.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    Ok(marks.windows(2).map(|pair| pair[1] - pair[0]).collect())
}

async fn turn(peer: &Peer, text: &str) -> Result<(), String> {
    match peer.prompt("long", text).await {
        Some(Ok(_)) => {}
        other => return Err(format!("the prompt is not taken: {other:?}")),
    }
    match peer.request_within("session/wait", &json!({ "sessionId": "long" }), LONGEST_TURN).await {
        Some(Ok(_)) => Ok(()),
        other => Err(format!("the turn does not end: {other:?}")),
    }
}

async fn end(peer: &Peer) -> Result<(), String> {
    peer.close().await;
    let gone = peer.gone().await;
    if gone.status.code() == Some(0) { Ok(()) } else { Err(format!("it ended with {:?}: {}", gone.status, gone.stderr)) }
}
