//! Chunks make blocks.

use dsh_json::{JsString, Json};
use dsh_llm::{AssembleError, Assembled, Assembler};
use dsh_message::{CallId, ContentBlock, FinishReason, LlmFailure, ReplayState, StreamChunk, TokenUsage};

use crate::fake::{finish, start, text};

fn call(index: u64, id: &str, name: Option<&str>, arguments: &str) -> StreamChunk {
    StreamChunk::ToolCallDelta { index, id: id.into(), name: name.map(Into::into), arguments_delta: arguments.into() }
}

fn tool(id: &str, name: &str, arguments: &str) -> ContentBlock {
    ContentBlock::ToolCall { id: CallId::from(id), name: name.into(), arguments: arguments.into() }
}

fn end(index: u64, block: ContentBlock) -> StreamChunk {
    StreamChunk::BlockEnd { index, block }
}

fn push(chunks: &[StreamChunk]) -> Result<Assembler, AssembleError> {
    let mut assembler = Assembler::new();
    chunks.iter().try_for_each(|chunk| assembler.push(chunk))?;
    Ok(assembler)
}

fn assemble(chunks: &[StreamChunk]) -> Assembled {
    push(chunks).unwrap().finish()
}

#[test]
fn blocks_stand_in_the_order_in_which_they_were_first_seen() {
    let reasoning = StreamChunk::ReasoningDelta { index: 7, text: "hm".into() };
    let made = assemble(&[start(7, "reasoning"), start(2, "text"), text(2, "a"), reasoning, text(2, "b"), call(4, "c1", Some("ls"), "{}")]);
    assert_eq!(made.content, [ContentBlock::Reasoning("hm".into()), ContentBlock::text("ab"), tool("c1", "ls", "{}")]);
    assert_eq!((made.finish, made.usage, made.replay_state), (FinishReason::Stop, None, None));
}

#[test]
fn the_first_end_of_a_block_counts() {
    let chunks =
        [start(0, "text"), text(0, "draft"), end(0, ContentBlock::text("whole")), text(0, "late"), end(0, ContentBlock::text("other"))];
    assert_eq!(assemble(&chunks).content, [ContentBlock::text("whole")]);
    assert_eq!(assemble(&[end(5, ContentBlock::text("alone"))]).content, [ContentBlock::text("alone")]);
}

#[test]
fn an_open_call_takes_the_last_id_and_name() {
    for (chunks, expected) in [
        (vec![call(0, "", None, "{"), call(0, "a", Some("x"), ""), call(0, "b", Some(""), "}")], tool("b", "x", "{}")),
        (vec![start(3, "tool-call")], tool("call-3", "", "")),
    ] {
        assert_eq!(assemble(&chunks).content, [expected]);
    }
}

#[test]
fn halves_of_a_character_in_two_pieces_are_joined() {
    let half = |json: &str| -> JsString { serde_json::from_str(json).unwrap() };
    let delta = |text| StreamChunk::TextDelta { index: 0, text };
    let made = assemble(&[delta(half(r#""\ud83d""#)), delta(half(r#""\ude00""#))]);
    assert_eq!(made.content, [ContentBlock::text("😀")]);
}

fn replay(blocks: Option<usize>) -> Option<ReplayState> {
    let blocks = blocks.map(|count| (0..count).map(|number| Json::Number(number as f64)).collect());
    Some(ReplayState { response: Json::Null, blocks })
}

fn replayed(reason: FinishReason, state: Option<ReplayState>) -> Assembled {
    let finish = StreamChunk::Finish { reason, replay_state: state };
    assemble(&[text(0, "a"), call(1, "c", Some("ls"), "{"), text(2, "b"), finish])
}

#[test]
fn calls_that_the_ceiling_cut_off_go_with_their_replay_entries() {
    let made = replayed(FinishReason::MaxTokens, replay(Some(3)));
    assert_eq!(made.content, [ContentBlock::text("a"), ContentBlock::text("b")]);
    assert_eq!(made.replay_state.unwrap().blocks.unwrap(), [Json::Number(0.0), Json::Number(2.0)]);
    let made = replayed(FinishReason::ToolCalls, replay(Some(3)));
    assert_eq!((made.content.len(), made.replay_state), (3, replay(Some(3))));
}

#[test]
fn a_replay_state_that_does_not_fit_is_dropped() {
    assert_eq!(replayed(FinishReason::Stop, replay(Some(2))).replay_state, None);
    assert_eq!(replayed(FinishReason::MaxTokens, replay(None)).replay_state, replay(None));
}

#[test]
fn usage_is_known_before_the_end() {
    let usage = TokenUsage { input_tokens: 3, ..TokenUsage::default() };
    let assembler = push(&[text(0, "a"), StreamChunk::Usage { usage }]).unwrap();
    assert_eq!(assembler.usage(), Some(usage));
    assert_eq!(assembler.finish().usage, Some(usage));
}

#[test]
fn chunks_that_make_no_message_are_refused() {
    let other = push(&[start(1, "text"), call(1, "c", None, "")]).unwrap_err();
    assert_eq!(other, AssembleError::OtherType { index: 1, block: "text".to_owned(), piece: "tool-call" });
    let never = push(&[start(0, "chart"), finish(FinishReason::Stop)]).unwrap_err();
    assert_eq!(never.to_string(), "block 0 of type `chart` never ended");
    let failed = FinishReason::Error { failure: LlmFailure::new("SERVER", "x") };
    assert!(push(&[start(0, "chart"), finish(failed)]).is_ok());
}

#[test]
fn a_cancelled_reply_keeps_what_was_visible() {
    let chunks = [
        start(0, "reasoning"),
        StreamChunk::ReasoningDelta { index: 0, text: "thought".into() },
        end(0, ContentBlock::Reasoning("thought".into())),
        text(1, " \n"),
        text(2, "half a sen"),
        call(3, "c", Some("ls"), "{"),
        start(4, "chart"),
    ];
    assert_eq!(push(&chunks).unwrap().interrupted(), [ContentBlock::Reasoning("thought".into()), ContentBlock::text("half a sen")]);
}
