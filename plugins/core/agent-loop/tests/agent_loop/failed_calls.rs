//! Tool calls that policy refuses, that fail, or whose schedule fails.

use std::sync::Arc;

use dsh_message::{CallId, ContentBlock, FinishReason, StreamChunk};
use dsh_runtime::event::around;
use dsh_testkit::{Reply, tool_body, tool_spec};
use dsh_tools::{PreExecuteDecision, ToolsPostExecute, ToolsPreExecute};

use crate::world::{Gate, World, calls, check, concurrent, echo, gated, gated_each, user};

#[tokio::test]
async fn the_result_of_a_refused_call_comes_before_the_next_call() {
    let world = World::new([calls(["safe", "safe"]), Reply::text("done")]).await;
    let gate = Gate::default();
    world.tool(concurrent("safe"), gated(&gate));
    let agent = world.agent("s").await;
    let deny = around::<ToolsPreExecute, _>((), |(), execution, next| {
        let first = execution.call_id().0 == "call_1";
        Box::pin(async move {
            if first { next.decide(Ok(PreExecuteDecision::Deny { reason: "not here".to_owned() })) } else { next.run(execution).await }
        })
    });
    world.on(&world.topics.tools.pre_execute, deny);
    gate.open();
    world.prompt(&agent, "m1", "go").await;
    check(
        "the schedule",
        &world.calls(),
        r#"
        tool/call call_1 safe {}
        tool/result call_1 failed "Error: not here"
        tool/call call_2 safe {}
        tool/result call_2 ok "call_2 passed"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn unknown_tools_and_broken_arguments_fail_with_their_codes() {
    let raw = |arguments: &str| {
        let id = CallId::from("call_1");
        let block = ContentBlock::ToolCall { id, name: "strict".into(), arguments: arguments.into() };
        Reply::chunks(vec![
            StreamChunk::BlockStart { index: 0, block_type: "tool-call".to_owned() },
            StreamChunk::BlockEnd { index: 0, block },
            StreamChunk::Finish { reason: FinishReason::ToolCalls, replay_state: None },
        ])
    };
    let world = World::new([calls(["nothing"]), raw("{\"pa"), raw(""), Reply::text("done")]).await;
    world.tool(tool_spec("strict"), echo());
    let note = |stage: &'static str| (Arc::clone(&world.recorder), stage);
    let before = around::<ToolsPreExecute, _>(note("before"), |(recorder, stage), execution, next| {
        recorder.live_event(format!("{stage} {}", execution.name()));
        next.run(execution)
    });
    world.on(&world.topics.tools.pre_execute, before);
    let after = around::<ToolsPostExecute, _>(note("after"), |(recorder, stage), outcome, next| {
        recorder.live_event(format!("{stage} {}", outcome.execution.name()));
        next.run(outcome)
    });
    world.on(&world.topics.tools.post_execute, after);
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    let policy: Vec<String> =
        world.recorder.live().into_iter().filter(|line| line.starts_with("before") || line.starts_with("after")).collect();
    let stages = "before nothing \n after nothing \n before strict \n after strict \n before strict \n after strict";
    check("what policy heard", &policy, stages);
    check(
        "the schedule",
        &world.calls(),
        r#"
        tool/call call_1 nothing {}
        tool/result call_1 failed "Error: unknown tool \"nothing\"" UNKNOWN_TOOL
        tool/call call_1 strict {"pa
        tool/result call_1 failed "Error: invalid arguments: not JSON: EOF while parsing a string at line 1 column 4, near `{\"pa`" INVALID_ARGS
        tool/call call_1 strict
        tool/result call_1 ok "{}"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_tool_or_a_policy_that_panics_fails_its_call_alone() {
    let world = World::new([calls(["broken", "guarded", "echo"]), Reply::text("done")]).await;
    world.tool(concurrent("broken"), tool_body(|_args, _call| Box::pin(async move { panic!("a fault of a tool") })));
    world.tool(concurrent("guarded"), echo());
    world.tool(concurrent("echo"), echo());
    let agent = world.agent("s").await;
    let policy = around::<ToolsPreExecute, _>((), |(), execution, next| {
        Box::pin(async move {
            assert!(execution.name() != "guarded", "a fault of a policy");
            next.run(execution).await
        })
    });
    world.on(&world.topics.tools.pre_execute, policy);
    world.prompt(&agent, "m1", "go").await;
    let lines = world.calls();
    let results: Vec<String> = lines.iter().filter(|line| line.starts_with("tool/result")).map(|line| line[12..21].to_owned()).collect();
    check("the results", &results, "call_1 fa \n call_2 fa \n call_3 ok");
    assert_eq!(world.last(), "turn/end 1 completed");
    world.teardown().await;
}

#[tokio::test]
async fn a_schedule_that_fails_makes_no_results_up() {
    let world = World::new([calls(["safe", "safe", "safe"]), Reply::text("done")]).await;
    let gates = [Gate::default(), Gate::default(), Gate::default()];
    world.tool(concurrent("safe"), gated_each(&gates));
    let agent = world.agent("s").await;
    world.keep_out("tool/result call_2");
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("tool/call call_3").await;
    gates[0].open();
    gates[1].open();
    world.recorder.until("tool/result call_1").await;
    tokio::task::yield_now().await;
    // What runs still ends before the turn does.
    assert_eq!(world.last(), r#"tool/result call_1 ok "call_1 passed""#);
    gates[2].open();
    world.idle(&agent).await;
    let log = world.recorder.transcript("s");
    check(
        "the end",
        &log[log.len() - 6..],
        r#"
        tool/call call_1 safe {}
        tool/call call_2 safe {}
        tool/call call_3 safe {}
        tool/result call_1 ok "call_1 passed"
        step/end 1.1
        turn/end 1 error UNKNOWN: `tool/result` was refused: not this one
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_call_whose_record_is_refused_is_not_started_and_neither_is_a_later_one() {
    let world = World::new([calls(["safe", "safe", "safe"]), Reply::text("done")]).await;
    world.tool(concurrent("safe"), echo());
    let agent = world.agent("s").await;
    world.keep_out("tool/call call_2");
    world.prompt(&agent, "m1", "go").await;
    let log = world.recorder.transcript("s");
    check(
        "the end",
        &log[log.len() - 6..],
        r#"
        tool/call call_1 safe {}
        tool/result call_1 ok "{}"
        tool/result call_2 failed "Error: the call was not started: `tool/call` was refused: not this one" TOOL_NOT_STARTED
        tool/result call_3 failed "Error: the call was not started: `tool/call` was refused: not this one" TOOL_NOT_STARTED
        step/end 1.1
        turn/end 1 error UNKNOWN: `tool/call` was refused: not this one
        "#,
    );
    world.teardown().await;
}
