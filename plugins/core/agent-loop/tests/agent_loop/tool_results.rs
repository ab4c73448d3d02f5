//! What tool results do to the turn: contexts for the next step, the end of the turn.

use dsh_runtime::event::around;
use dsh_testkit::{Reply, tool_body, tool_spec};
use dsh_tools::{PostExecuteDecision, ToolError, ToolsPostExecute};

use crate::world::{Gate, World, calls, check, concluding, deferring, echo, gated, note, user};

#[tokio::test]
async fn contexts_follow_their_result_and_come_before_the_next_step() {
    let world = World::new([calls(["defer", "defer"]), Reply::text("done")]).await;
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
        &world.after_the_reply(),
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
    let world = World::new([calls(["defer"]), Reply::text("done")]).await;
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
        &world.after_the_reply()[..4],
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
    let world = World::new([calls(["finish", "echo"])]).await;
    world.tool(tool_spec("finish"), concluding());
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &world.after_the_reply(),
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
    let world = World::new([calls(["finish", "defer"]), Reply::text("done")]).await;
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
    let world = World::new([calls(["finish"]), Reply::text("done")]).await;
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
async fn steering_while_tools_run_joins_the_step_with_their_results() {
    let world = World::new([calls(["slow"]), Reply::text("done")]).await;
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
