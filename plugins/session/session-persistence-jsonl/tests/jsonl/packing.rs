//! Runs of stream deltas as packed rows.

use std::sync::Arc;

use dsh_json::JsString;
use dsh_message::{CallId, StreamChunk};
use dsh_runtime::ConfigMeta;
use dsh_session::Session;
use dsh_session::catalogue::{AssistantChunk, StepEnd, StepStart, TurnStart};
use proptest::prelude::*;

use crate::world::{NOW, World, config, header, lines};

fn text(index: u64, text: &str) -> StreamChunk {
    // Through JSON, so that a half of a surrogate pair can be written.
    StreamChunk::TextDelta { index, text: serde_json::from_str::<JsString>(&format!("\"{text}\"")).unwrap() }
}

fn reasoning(text: &str) -> StreamChunk {
    StreamChunk::ReasoningDelta { index: 0, text: text.into() }
}

fn arguments(id: &str, name: Option<&str>, arguments: &str) -> StreamChunk {
    StreamChunk::ToolCallDelta { index: 1, id: CallId::from(id), name: name.map(Into::into), arguments_delta: arguments.into() }
}

fn open_step(world: &World) -> Arc<Session> {
    let session = world.create("s").unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    session
}

/// Appends chunks, each after a pause, and yields the lines that the store made of them, without their numbers and times.
async fn stored(chunks: impl IntoIterator<Item = (i64, StreamChunk)>) -> Vec<String> {
    let root = tempfile::tempdir().unwrap();
    let world = World::at(root.path()).await;
    let session = open_step(&world);
    for (pause, chunk) in chunks {
        world.clock.advance(pause);
        session.append(&AssistantChunk { turn: 1, step: 1, chunk }).unwrap();
    }
    session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
    let log = world.log("s");
    let body = log.lines().skip(3);
    let lines: Vec<String> = body.map(str::to_owned).collect();
    lines[..lines.len() - 1].to_vec()
}

#[tokio::test]
async fn three_deltas_of_a_block_are_one_row_and_the_clock_may_step_back() {
    let chunks = [(100, text(0, "He")), (0, text(0, "l")), (25, text(0, "lo")), (-3, text(0, "\\ud83d!"))];
    let t = NOW + 100;
    assert_eq!(
        stored(chunks).await,
        [format!(
            "{{\"type\":\"text-chunks\",\"seq0\":2,\"time0\":{t},\"data\":{{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[0,25,-3],\
             \"texts\":[\"He\",\"l\",\"lo\",\"\\ud83d!\"]}}}}"
        )]
    );
}

#[tokio::test]
async fn two_deltas_stand_on_lines_of_their_own() {
    let line = |seq: u64, text: &str| {
        format!(
            "{{\"type\":\"assistant/chunk\",\"seq\":{seq},\"time\":{NOW},\"data\":{{\"turn\":1,\"step\":1,\
             \"chunk\":{{\"type\":\"text-delta\",\"index\":0,\"text\":\"{text}\"}}}}}}"
        )
    };
    assert_eq!(stored([(0, text(0, "a")), (0, text(0, "b"))]).await, [line(2, "a"), line(3, "b")]);
}

#[tokio::test]
async fn the_first_delta_of_a_call_stands_alone_when_it_alone_has_the_name() {
    let chunks = [
        (0, arguments("c1", Some("ls"), "")),
        (0, arguments("c1", None, "{")),
        (0, arguments("c1", None, "\"a\":1")),
        (0, arguments("c1", None, "}")),
    ];
    let lines = stored(chunks).await;
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].contains("\"type\":\"tool-call-delta\",\"index\":1,\"id\":\"c1\",\"name\":\"ls\",\"argumentsDelta\":\"\""),
        "{}",
        lines[0]
    );
    assert_eq!(
        lines[1],
        format!(
            "{{\"type\":\"tool-call-chunks\",\"seq0\":3,\"time0\":{NOW},\"data\":{{\"turn\":1,\"step\":1,\"index\":1,\"dt\":[0,0],\
             \"id\":\"c1\",\"args\":[\"{{\",\"\\\"a\\\":1\",\"}}\"]}}}}"
        )
    );
}

#[tokio::test]
async fn a_name_in_every_delta_is_kept_in_the_row() {
    let lines = stored((0..3).map(|_| (0, arguments("c1", Some("ls"), "x")))).await;
    assert_eq!(lines.len(), 1);
    assert!(lines[0].ends_with("\"id\":\"c1\",\"name\":\"ls\",\"args\":[\"x\",\"x\",\"x\"]}}"), "{}", lines[0]);
}

#[tokio::test]
async fn a_run_ends_where_block_kind_or_call_change() {
    let start = StreamChunk::BlockStart { index: 0, block_type: "text".to_owned() };
    let mut chunks = vec![start];
    chunks.extend((0..3).map(|_| reasoning("r")));
    chunks.extend((0..3).map(|_| text(0, "a")));
    chunks.extend((0..3).map(|_| text(1, "b")));
    chunks.extend((0..3).map(|_| arguments("c1", None, "x")));
    chunks.extend((0..3).map(|_| arguments("c2", None, "y")));
    let lines = stored(chunks.into_iter().map(|chunk| (0, chunk))).await;
    let kinds: Vec<&str> = lines.iter().map(|line| line.split('"').nth(3).unwrap()).collect();
    assert_eq!(kinds, ["assistant/chunk", "reasoning-chunks", "text-chunks", "text-chunks", "tool-call-chunks", "tool-call-chunks"]);
}

#[tokio::test]
async fn without_packing_every_delta_stands_on_its_own_line() {
    let root = tempfile::tempdir().unwrap();
    let mut verbatim = config(root.path());
    verbatim.pack_chunks = false;
    let world = World::with(verbatim).await;
    let session = open_step(&world);
    for _ in 0..4 {
        session.append(&AssistantChunk { turn: 1, step: 1, chunk: text(0, "a") }).unwrap();
    }
    session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
    assert_eq!(world.log("s").lines().count(), 1 + 2 + 4 + 1);
}

#[test]
fn the_window_has_the_bounds_of_a_timer() {
    for (delay, problems) in [(0, 1), (1, 0), (2_147_483_647, 0), (2_147_483_648, 1)] {
        let mut config = config(std::path::Path::new("r"));
        config.write_batch_max_delay_ms = delay;
        let mut found = Vec::new();
        config.check("", &mut found);
        assert_eq!(found.len(), problems, "{delay}");
    }
}

fn chunk() -> impl Strategy<Value = StreamChunk> {
    let payload = prop_oneof![Just("x"), Just("é\\n"), Just("\\ud83d"), Just("\\ude00")];
    (0..4_u8, 0..2_u64, payload).prop_map(|(kind, index, payload)| match kind {
        0 | 1 => text(index, payload),
        2 => arguments("c", None, "x"),
        _ => arguments("c", Some("n"), "y"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is packed reads back as it was appended.
    #[test]
    fn what_is_packed_reads_back(chunks in prop::collection::vec((-5..50_i64, chunk()), 0..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let root = tempfile::tempdir().unwrap();
            let world = World::at(root.path()).await;
            let session = open_step(&world);
            let mut events = String::new();
            for (pause, chunk) in chunks {
                world.clock.advance(pause);
                let event = session.append(&AssistantChunk { turn: 1, step: 1, chunk }).unwrap();
                events += &(dsh_json::to_text(&*event).unwrap() + "\n");
            }
            session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
            world.tear_down().await;
            let read = World::at(root.path()).await.load("s").await.unwrap();
            let all = lines(&read);
            let chunks: String = all.lines().filter(|line| line.contains("assistant/chunk")).map(|line| format!("{line}\n")).collect();
            prop_assert_eq!(chunks, events);
            prop_assert!(world.log("s").starts_with(&header("s")));
            Ok(())
        })?;
    }
}
