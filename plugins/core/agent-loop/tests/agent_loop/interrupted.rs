//! Replies that are given up in the middle.

use dsh_agent::KeepInbox;
use dsh_message::{CallId, ContentBlock, StreamChunk, TokenUsage};
use dsh_session::catalogue::AbortCause;
use dsh_testkit::Reply;

use crate::world::{World, user};

/// The last turn when its reply is given up after `reply` has begun.
async fn check_given_up(reply: Reply, at: &str, expected: &str) {
    let world = World::new([reply]).await;
    let agent = world.agent("s").await;
    world.cancel_at(&agent, at, KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    let common = r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        "#;
    world.check_last_turn(&format!("{common}{expected}\nstep/end 1.1\nturn/end 1 aborted user"));
    world.teardown().await;
}

fn text_block(index: u64, text: &str) -> Vec<StreamChunk> {
    vec![
        StreamChunk::BlockStart { index, block_type: "text".to_owned() },
        StreamChunk::TextDelta { index, text: text.into() },
        StreamChunk::BlockEnd { index, block: ContentBlock::text(text) },
    ]
}

#[tokio::test]
async fn what_was_visible_of_a_reply_is_kept() {
    check_given_up(Reply::text("half"), "chunk text", "chunks A start text:\"half\" \n assistant/message 1.1 interrupted \"half\" <- A")
        .await;
}

#[tokio::test]
async fn a_silent_reply_can_be_given_up() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    agent.cancel(AbortCause::Hook { reason: "enough".to_owned() }, KeepInbox::No);
    world.idle(&agent).await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"half"
        assistant/message 1.1 interrupted "half" <- A
        step/end 1.1
        turn/end 1 aborted hook enough
        "#,
    );
    assert!(world.model.calls()[0].request.signal.is_cancelled(), "the model is told");
    world.teardown().await;
}

#[tokio::test]
async fn a_blank_beginning_is_not_kept() {
    check_given_up(Reply::unfinished(" \n"), "chunk text", r#"chunks A start text:" \n""#).await;
}

#[tokio::test]
async fn half_a_tool_call_is_not_kept_but_the_text_before_it_is() {
    let call = [
        StreamChunk::BlockStart { index: 1, block_type: "tool-call".to_owned() },
        StreamChunk::ToolCallDelta { index: 1, id: CallId::from("call_1"), name: Some("echo".into()), arguments_delta: "{\"a".into() },
    ];
    let chunks = text_block(0, "I look").into_iter().chain(call).collect();
    let expected = r#"
        chunks A start text:"I look" end start call:call_1
        assistant/message 1.1 interrupted "I look" <- A
        "#;
    check_given_up(Reply::chunks(chunks), "chunk call", expected).await;
}

#[tokio::test]
async fn the_usage_of_a_reply_that_was_given_up_is_kept() {
    let usage = StreamChunk::Usage { usage: TokenUsage { input_tokens: 7, output_tokens: 3, ..TokenUsage::default() } };
    let chunks = text_block(0, "all").into_iter().chain([usage]).collect();
    let expected = r#"
        chunks A start text:"all" end usage
        assistant/message 1.1 interrupted "all" (7+3 tokens) <- A
        "#;
    check_given_up(Reply::chunks(chunks), "chunk usage", expected).await;
}
