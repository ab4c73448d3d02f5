//! What tool results do to the turn: contexts for the next step, the end of the turn, cancellation.

use std::sync::Arc;

use dsh_agent::{Agent, KeepInbox, Target};
use dsh_message::{ContentBlock, Message, MessageId, MessageSource};
use dsh_runtime::event::around;
use dsh_session::catalogue::AbortCause;
use dsh_testkit::{Reply, tool_body, tool_spec};
use dsh_tools::{PostExecuteDecision, ToolBody, ToolError, ToolOutput, ToolsPostExecute};
use serde_json::json;

use crate::world::{Gate, World, check, concurrent, echo, gated, user};

fn note(id: &str) -> Arc<Message> {
    Arc::new(Message::user(MessageId::from(id), vec![ContentBlock::text("note")], MessageSource::User))
}

/// A body that leaves a message for the next step, named after its call.
fn deferring() -> Arc<dyn ToolBody> {
    tool_body(|_args, call| {
        call.defer_context(note(&format!("note of {}", call.call_id)));
        Box::pin(async move { Ok(ToolOutput::text("ok")) })
    })
}

/// A body that ends the turn.
fn concluding() -> Arc<dyn ToolBody> {
    tool_body(|_args, call| {
        call.conclude_turn();
        Box::pin(async move { Ok(ToolOutput::text("that is all")) })
    })
}

/// The events after the reply of the first step.
fn after_the_reply(world: &World) -> Vec<String> {
    let log = world.recorder.transcript("s");
    let reply = log.iter().position(|line| line.starts_with("assistant/message")).expect("a reply");
    log[reply + 1..].to_vec()
}

#[tokio::test]
async fn contexts_follow_their_result_and_come_before_the_next_step() {
    let world = World::new([Reply::tools([("defer", json!({})), ("defer", json!({}))]), Reply::text("done")]).await;
    world.tool(tool_spec("defer"), deferring());
    let agent = world.agent("s").await;
    let review = around::<ToolsPostExecute, _>((), |(), outcome, next| {
        let context = note(&format!("review of {}", outcome.execution.call_id()));
        Box::pin(async move { next.run(outcome).await.map(|decision| decision.map(|decision| decision.with_context(context))) })
    });
    world.on(&world.topics.tools.post_execute, review);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &after_the_reply(&world),
        r#"
        tool/call call_1 defer {}
        tool/result call_1 ok "ok"
        inbox next-step[0] +note of call_1
        inbox next-step[1] +review of call_1
        tool/call call_2 defer {}
        tool/result call_2 ok "ok"
        inbox next-step[2] +note of call_2
        inbox next-step[3] +review of call_2
        step/end 1.1
        inbox next-step[0] -4
        step/start 1.2
        user/message note of call_1 "note"
        user/message review of call_1 "note"
        user/message note of call_2 "note"
        user/message review of call_2 "note"
        chunks B start text:"done" end usage finish:stop
        assistant/message 1.2 "done" (100+10 tokens) <- B
        step/end 1.2
        turn/end 1 completed
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_blocked_result_keeps_the_contexts_of_the_block_alone() {
    let world = World::new([Reply::tool("defer", &json!({})), Reply::text("done")]).await;
    world.tool(tool_spec("defer"), deferring());
    let agent = world.agent("s").await;
    let block = around::<ToolsPostExecute, _>((), |(), _outcome, next| {
        let decision = PostExecuteDecision::block("not like this").with_context(note("of the block"));
        Box::pin(async move { next.decide(Ok(decision)) })
    });
    world.on(&world.topics.tools.post_execute, block);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &after_the_reply(&world)[..4],
        r#"
        tool/call call_1 defer {}
        tool/result call_1 failed "not like this"
        inbox next-step[0] +of the block
        step/end 1.1
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_concluding_tool_ends_the_turn_without_another_request() {
    let world = World::new([Reply::tools([("finish", json!({})), ("echo", json!({}))])]).await;
    world.tool(tool_spec("finish"), concluding());
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &after_the_reply(&world),
        r#"
        tool/call call_1 finish {}
        tool/result call_1 ok "that is all"
        tool/call call_2 echo {}
        tool/result call_2 ok "{}"
        step/end 1.1
        turn/end 1 completed
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_concluded_turn_runs_on_when_another_call_left_a_context() {
    let world = World::new([Reply::tools([("finish", json!({})), ("defer", json!({}))]), Reply::text("done")]).await;
    world.tool(tool_spec("finish"), concluding());
    world.tool(tool_spec("defer"), deferring());
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    let log = world.recorder.transcript("s");
    assert!(log.contains(&r#"user/message note of call_2 "note""#.to_owned()), "{log:?}");
    assert_eq!(log.last().unwrap(), "turn/end 1 completed");
    assert_eq!(world.model.calls().len(), 2);
    world.teardown().await;
}

#[tokio::test]
async fn a_tool_that_fails_concludes_nothing() {
    let world = World::new([Reply::tool("finish", &json!({})), Reply::text("done")]).await;
    let body = tool_body(|_args, call| {
        call.conclude_turn();
        Box::pin(async move { Err(ToolError::plain("not yet")) })
    });
    world.tool(tool_spec("finish"), body);
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.model.calls().len(), 2);
    world.teardown().await;
}

#[tokio::test]
async fn of_three_calls_the_running_one_ends_and_the_others_are_answered_without_running() {
    let reply = Reply::tools([("slow", json!({})), ("slow", json!({})), ("slow", json!({}))]);
    for spec in [tool_spec("slow"), concurrent("slow")] {
        let world = World::new([reply.clone()]).await;
        let is_concurrent = spec.concurrent;
        world.tool(spec, gated(&Gate::default()));
        let agent = world.agent("s").await;
        agent.followup(user("m1", "go")).unwrap();
        world.recorder.until(if is_concurrent { "tool/call call_3" } else { "tool/call call_1" }).await;
        agent.cancel(AbortCause::User, KeepInbox::No);
        world.idle(&agent).await;
        let ended = r#"failed "Error: given up" ABORTED"#;
        let skipped = r#"failed "Error: tool call aborted before dispatch" ABORTED_BEFORE_DISPATCH"#;
        let calls = if is_concurrent {
            format!(
                "tool/call call_1 slow {{}}\ntool/call call_2 slow {{}}\ntool/call call_3 slow {{}}
                tool/result call_1 {ended}\ntool/result call_2 {ended}\ntool/result call_3 {ended}"
            )
        } else {
            format!(
                "tool/call call_1 slow {{}}\ntool/result call_1 {ended}\ntool/call call_2 slow {{}}\ntool/result call_2 {skipped}
                tool/call call_3 slow {{}}\ntool/result call_3 {skipped}"
            )
        };
        check("what follows the reply", &after_the_reply(&world), &format!("{calls}\nstep/end 1.1\nturn/end 1 aborted user"));
        world.teardown().await;
    }
}

#[tokio::test]
async fn calls_of_a_reply_that_is_cancelled_as_it_is_recorded_are_answered_without_running() {
    let world = World::new([Reply::tools([("echo", json!({})), ("echo", json!({}))])]).await;
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    world.cancel_at(&agent, "assistant/message", KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &after_the_reply(&world),
        r#"
        tool/call call_1 echo {}
        tool/result call_1 failed "Error: tool call aborted before dispatch" ABORTED_BEFORE_DISPATCH
        tool/call call_2 echo {}
        tool/result call_2 failed "Error: tool call aborted before dispatch" ABORTED_BEFORE_DISPATCH
        step/end 1.1
        turn/end 1 aborted user
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_as_it_is_recorded_does_not_run() {
    let world = World::new([Reply::tool("echo", &json!({}))]).await;
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    world.cancel_at(&agent, "tool/call", KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &after_the_reply(&world),
        r#"
        tool/call call_1 echo {}
        tool/result call_1 failed "Error: tool call aborted before dispatch" ABORTED_BEFORE_DISPATCH
        step/end 1.1
        turn/end 1 aborted user
        "#,
    );
    world.teardown().await;
}

/// The agent is cancelled while results are reviewed.
fn cancel_at_review(world: &World, agent: &Arc<dyn Agent>) {
    let review = around::<ToolsPostExecute, _>(Arc::clone(agent), |agent: &Arc<dyn Agent>, outcome, next| {
        agent.cancel(AbortCause::User, KeepInbox::No);
        next.run(outcome)
    });
    world.on(&world.topics.tools.post_execute, review);
}

#[tokio::test]
async fn a_success_that_is_cancelled_before_it_is_recorded_does_not_count_but_its_contexts_do() {
    let world = World::new([Reply::tool("defer", &json!({}))]).await;
    world.tool(tool_spec("defer"), deferring());
    let agent = world.agent("s").await;
    cancel_at_review(&world, &agent);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &after_the_reply(&world),
        r#"
        tool/call call_1 defer {}
        tool/result call_1 failed "Error: tool call aborted" ABORTED
        inbox next-step[0] +note of call_1
        step/end 1.1
        turn/end 1 aborted user
        "#,
    );
    assert_eq!(agent.inbox().pending(Target::NextStep).len(), 1);
    world.teardown().await;
}

#[tokio::test]
async fn a_failure_that_is_cancelled_before_it_is_recorded_stays_what_it_was() {
    let world = World::new([Reply::tool("fail", &json!({}))]).await;
    let body = tool_body(|_args, _call| Box::pin(async move { Err(ToolError::coded("DiskError", "DISK", "disk full")) }));
    world.tool(tool_spec("fail"), body);
    let agent = world.agent("s").await;
    cancel_at_review(&world, &agent);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &after_the_reply(&world),
        r#"
        tool/call call_1 fail {}
        tool/result call_1 failed "Error: disk full" DISK
        step/end 1.1
        turn/end 1 aborted user
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_cancelled_turn_does_not_run_on_though_a_tool_concluded_it() {
    let world = World::new([Reply::tool("finish", &json!({}))]).await;
    world.tool(tool_spec("finish"), concluding());
    let agent = world.agent("s").await;
    world.cancel_at(&agent, "tool/result", KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 aborted user");
    world.teardown().await;
}

#[tokio::test]
async fn steering_while_tools_run_joins_the_step_with_their_results() {
    let world = World::new([Reply::tool("slow", &json!({})), Reply::text("done")]).await;
    let gate = Gate::default();
    world.tool(tool_spec("slow"), gated(&gate));
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("tool/call call_1").await;
    agent.steer(user("m2", "faster")).unwrap();
    gate.open();
    world.idle(&agent).await;
    world.check_requests(
        r#"
        scripted/m tools=slow: m1 "go"
        scripted/m tools=slow: m1 "go", [call_1 slow], call_1 ok "call_1 passed", m2 "faster"
        "#,
    );
    world.teardown().await;
}
