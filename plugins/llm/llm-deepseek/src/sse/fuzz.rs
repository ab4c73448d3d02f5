//! Replies of any bytes: events do not depend on where the bytes are cut, and what is made of them keeps to the grammar of chunks.

use std::collections::VecDeque;
use std::path::Path;

use dsh_llm::Assembler;
use dsh_message::StreamChunk;
use dsh_testkit::{Change, changed, fuzz_cases, kept_inputs};
use proptest::collection::vec;
use proptest::prelude::*;

use super::SseDecoder;
use crate::translator::Translator;

fn kept() -> Vec<(String, Vec<u8>)> {
    kept_inputs(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/replies"))
}

/// The events of bytes that come in these pieces.
fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    let mut decoder = SseDecoder::default();
    let mut events: Vec<Vec<u8>> =
        pieces.into_iter().flat_map(|piece| decoder.push(piece).expect("inputs are shorter than the limit")).collect();
    events.extend(decoder.finish());
    events
}

/// The same by the words of the standard: lines first, then fields.
fn model(bytes: &[u8]) -> Vec<Vec<u8>> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut text = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' if at > 0 && bytes[at - 1] == b'\r' => {}
            b'\r' => text.push(b'\n'),
            byte => text.push(*byte),
        }
    }
    let (mut events, mut data): (Vec<Vec<u8>>, Vec<Vec<u8>>) = (Vec::new(), Vec::new());
    let unended = !text.ends_with(b"\n") && !text.is_empty();
    if unended {
        text.push(b'\n');
    }
    // Whatever is left when the bytes end counts as if a blank line followed.
    text.push(b'\n');
    for line in text.split(|byte| *byte == b'\n') {
        if line.is_empty() {
            let event = std::mem::take(&mut data).join(&b'\n');
            events.extend((!event.is_empty()).then_some(event));
        } else if line == b"data" {
            data.push(Vec::new());
        } else if let Some(value) = line.strip_prefix(b"data:") {
            data.push(value.strip_prefix(b" ").unwrap_or(value).to_vec());
        }
    }
    events
}

/// Sees what becomes of bytes that are cut here and there.
fn check(bytes: &[u8], cuts: &[u16]) {
    let whole = decode([bytes]);
    assert_eq!(whole, model(bytes), "the events are those of the standard");
    let mut places: Vec<usize> = cuts.iter().map(|cut| usize::from(*cut) % (bytes.len() + 1)).collect();
    places.extend([0, bytes.len()]);
    places.sort_unstable();
    assert_eq!(decode(places.windows(2).map(|pair| &bytes[pair[0]..pair[1]])), whole, "cut at {places:?}");

    let (mut translator, mut chunks) = (Translator::default(), VecDeque::new());
    for event in &whole {
        if translator.ended() {
            break;
        }
        if let Err(failure) = translator.take(event, &mut chunks) {
            assert!(!failure.message.is_empty() && failure.message.len() < 2000, "{failure}");
            break;
        }
    }
    let (mut assembler, mut open) = (Assembler::new(), Vec::new());
    for (at, chunk) in chunks.iter().enumerate() {
        match chunk {
            StreamChunk::BlockStart { index, .. } => {
                assert!(!open.contains(index));
                open.push(*index);
            }
            StreamChunk::TextDelta { index, .. } | StreamChunk::ReasoningDelta { index, .. } | StreamChunk::ToolCallDelta { index, .. } => {
                assert!(open.contains(index));
            }
            StreamChunk::BlockEnd { index, .. } => open.retain(|held| held != index),
            StreamChunk::Usage { .. } => {}
            StreamChunk::Finish { .. } => assert!(at + 1 == chunks.len() && open.is_empty() && translator.ended()),
        }
        assembler.push(chunk).expect("chunks that keep to the grammar can be put together");
    }
}

#[test]
fn kept_replies() {
    for (name, bytes) in kept() {
        println!("{name}");
        check(&bytes, &[]);
        for cut in 0..u16::try_from(bytes.len()).unwrap().min(400) {
            check(&bytes, &[cut]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fuzz_cases()))]

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..400), cuts in vec(any::<u16>(), 0..6)) {
        check(&bytes, &cuts);
    }

    #[test]
    fn any_lines(lines in vec("(data|data:|data: |: |event: |id)?[a{}\":\\[\\]0\u{feff}é]{0,6}(\r|\n|\r\n|\n\n|\r\r)?", 0..20), cuts in vec(any::<u16>(), 0..6)) {
        check(lines.concat().as_bytes(), &cuts);
    }

    #[test]
    fn changed_replies(kept in proptest::sample::select(kept()), changes in vec(any::<Change>(), 1..8), cuts in vec(any::<u16>(), 0..6)) {
        check(&changed(&kept.1, &changes), &cuts);
    }
}
