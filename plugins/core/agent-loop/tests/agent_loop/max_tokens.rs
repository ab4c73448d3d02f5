//! Replies that reach the ceiling of output.

use dsh_agent::PreStepDecision;
use dsh_json::Json;
use dsh_message::{CallId, ContentBlock, FinishReason, MessageSource, ReplayState, StreamChunk};
use dsh_session::catalogue::AssistantMessage;
use dsh_testkit::{Reply, tool_spec};

use crate::world::{World, calls, echo, user};

#[tokio::test]
async fn a_reply_at_the_ceiling_ends_the_turn_and_the_queue_is_run() {
    let world = World::new([Reply::cut_off("on and on"), Reply::text("done")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    agent.followup(user("m2", "next")).unwrap();
    world.idle(&agent).await;
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        inbox next-turn[0] +m2
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"on and on" end usage finish:max-tokens
        assistant/message 1.1 "on and on" (100+10 tokens) <- A
        step/end 1.1
        turn/end 1 max-tokens
        turn/start 2
        inbox next-turn[0] -1
        step/start 2.1
        user/message m2 "next"
        chunks B start text:"done" end usage finish:stop
        assistant/message 2.1 "done" (100+10 tokens) <- B
        step/end 2.1
        turn/end 2 completed
        "#,
    );
    world.teardown().await;
}

/// A reply with a text and a tool call, cut off; the adapter keeps something for each of its blocks.
fn cut_off_in_a_call() -> Reply {
    let call = ContentBlock::ToolCall { id: CallId::from("call_1"), name: "echo".into(), arguments: "{\"te".into() };
    let entry = |text: &str| Json::Text(text.into());
    let blocks = Some(vec![entry("of the text"), entry("of the call")]);
    Reply::chunks(vec![
        StreamChunk::BlockStart { index: 0, block_type: "text".to_owned() },
        StreamChunk::BlockEnd { index: 0, block: ContentBlock::text("I write") },
        StreamChunk::BlockStart { index: 1, block_type: "tool-call".to_owned() },
        StreamChunk::BlockEnd { index: 1, block: call },
        StreamChunk::Finish { reason: FinishReason::MaxTokens, replay_state: Some(ReplayState { response: Json::Null, blocks }) },
    ])
}

#[tokio::test]
async fn a_tool_call_that_was_cut_off_is_neither_kept_nor_run() {
    let world = World::new([cut_off_in_a_call()]).await;
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m tools=echo
        request/context scripted/m 100000
        chunks A start end start end finish:max-tokens
        assistant/message 1.1 "I write" <- A
        step/end 1.1
        turn/end 1 max-tokens
        "#,
    );
    let reply = world.recorder.events("s").iter().find_map(|event| event.data::<AssistantMessage>()).unwrap();
    let MessageSource::Model { replay_state: Some(state), .. } = &reply.message.source else { panic!("what the adapter kept is gone") };
    assert_eq!(state.blocks, Some(vec![Json::Text("of the text".into())]));
    world.teardown().await;
}

#[tokio::test]
async fn a_later_step_that_completes_does_not_change_the_reason() {
    let world = World::new([Reply::cut_off("on"), Reply::text("done")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    agent.steer(user("m2", "shorter")).unwrap();
    world.idle(&agent).await;
    let log = world.recorder.transcript("s");
    assert_eq!(log.last().unwrap(), "turn/end 1 max-tokens");
    assert!(log.contains(&"step/end 1.2".to_owned()), "{log:?}");
    world.teardown().await;
}

#[tokio::test]
async fn tools_of_a_later_step_run_but_their_results_are_not_sent() {
    let world = World::new([Reply::cut_off("on"), calls(["echo"])]).await;
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    agent.steer(user("m2", "shorter")).unwrap();
    world.idle(&agent).await;
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        inbox next-step[0] +m2
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m tools=echo
        request/context scripted/m 100000
        chunks A start text:"on" end usage finish:max-tokens
        assistant/message 1.1 "on" (100+10 tokens) <- A
        step/end 1.1
        inbox next-step[0] -1
        step/start 1.2
        user/message m2 "shorter"
        chunks B start call:call_1 end usage finish:tool-calls
        assistant/message 1.2 [call_1 echo] (100+10 tokens) <- B
        tool/call call_1 echo {}
        tool/result call_1 ok "{}"
        step/end 1.2
        turn/end 1 max-tokens
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn steering_after_such_tools_still_runs_a_step() {
    let world = World::new([Reply::cut_off("on"), calls(["echo"]), Reply::text("done")]).await;
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    world.on_turn_stopping(|stopping, time| {
        if time <= 2 {
            stopping.agent.steer(user(&format!("objection {time}"), "not yet")).unwrap();
        }
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 max-tokens");
    assert_eq!(world.model.calls().len(), 3);
    world.teardown().await;
}

#[tokio::test]
async fn a_later_rejection_counts_more() {
    let world = World::new([Reply::cut_off("on")]).await;
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| (proposed.step == 2).then_some(Ok(PreStepDecision::Reject)));
    agent.followup(user("m1", "go")).unwrap();
    agent.steer(user("m2", "no")).unwrap();
    world.idle(&agent).await;
    assert_eq!(world.last(), "turn/end 1 blocked");
    world.teardown().await;
}

#[tokio::test]
async fn a_later_step_without_messages_closes_the_turn_at_the_ceiling() {
    let world = World::new([Reply::cut_off("on")]).await;
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| (proposed.step == 2).then(|| Ok(PreStepDecision::Enter(Vec::new()))));
    agent.followup(user("m1", "go")).unwrap();
    agent.steer(user("m2", "dropped")).unwrap();
    world.idle(&agent).await;
    assert_eq!(world.last(), "turn/end 1 max-tokens");
    world.teardown().await;
}

#[tokio::test]
async fn a_reply_that_was_cut_off_before_anything_is_recorded_empty() {
    let finish = StreamChunk::Finish { reason: FinishReason::MaxTokens, replay_state: None };
    let world = World::new([Reply::chunks(vec![finish])]).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    let log = world.recorder.transcript("s");
    assert!(log.contains(&"assistant/message 1.1 (nothing) <- A".to_owned()), "{log:?}");
    assert_eq!(log.last().unwrap(), "turn/end 1 max-tokens");
    world.teardown().await;
}
