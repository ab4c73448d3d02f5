//! The schedule of tool calls.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use dsh_message::{CallId, ContentBlock, FinishReason, StreamChunk};
use dsh_runtime::event::around;
use dsh_testkit::{Reply, ScriptedModel, tool_body, tool_spec};
use dsh_tools::{PreExecuteDecision, ToolBody, ToolError, ToolOutput, ToolsPreExecute};
use serde_json::json;

use crate::world::{Gate, Setup, World, check, concurrent, echo, gated, user};

fn calls<const N: usize>(names: [&str; N]) -> Reply {
    Reply::tools(names.map(|name| (name, json!({}))))
}

/// The calls and results on record, in order.
fn scheduled(world: &World) -> Vec<String> {
    world.recorder.transcript("s").into_iter().filter(|line| line.starts_with("tool/")).collect()
}

#[tokio::test]
async fn a_tool_turn_sends_the_results_in_its_next_step() {
    let world = World::new([Reply::tool("echo", &json!({ "x": 1 })), Reply::text("done")]).await;
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m tools=echo
        request/context scripted/m 100000
        chunks A start call:call_1 end usage finish:tool-calls
        assistant/message 1.1 [call_1 echo] (100+10 tokens) <- A
        tool/call call_1 echo {"x":1}
        tool/result call_1 ok "{\"x\":1}"
        step/end 1.1
        step/start 1.2
        chunks B start text:"done" end usage finish:stop
        assistant/message 1.2 "done" (100+10 tokens) <- B
        step/end 1.2
        turn/end 1 completed
        "#,
    );
    world.check_requests(
        r#"
        scripted/m tools=echo: m1 "go"
        scripted/m tools=echo: m1 "go", [call_1 echo], call_1 ok "{\"x\":1}"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn exclusive_calls_run_one_after_the_other() {
    let world = World::new([calls(["alone", "alone"]), Reply::text("done")]).await;
    let gate = Gate::default();
    world.tool(tool_spec("alone"), gated(&gate));
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("tool/call call_1").await;
    tokio::task::yield_now().await;
    check("before the first ends", &scheduled(&world), "tool/call call_1 alone {}");
    gate.open();
    gate.open();
    world.idle(&agent).await;
    check(
        "the schedule",
        &scheduled(&world),
        r#"
        tool/call call_1 alone {}
        tool/result call_1 ok "call_1 passed"
        tool/call call_2 alone {}
        tool/result call_2 ok "call_2 passed"
        "#,
    );
    world.teardown().await;
}

/// Bodies that wait at one gate for each call.
fn gated_each(gates: &[Gate]) -> Arc<dyn ToolBody> {
    let gates = gates.to_vec();
    let started = Arc::new(AtomicUsize::new(0));
    tool_body(move |_args, call| {
        let gate = gates[started.fetch_add(1, Ordering::SeqCst)].clone();
        Box::pin(async move {
            gate.pass().await;
            Ok(ToolOutput::text(format!("{} passed", call.call_id)))
        })
    })
}

#[tokio::test]
async fn results_keep_the_models_order_whatever_ends_first() {
    let world = World::new([calls(["safe", "safe", "safe"]), Reply::text("done")]).await;
    let gates = [Gate::default(), Gate::default(), Gate::default()];
    world.tool(concurrent("safe"), gated_each(&gates));
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("tool/call call_3").await;
    for gate in gates.iter().rev() {
        gate.open();
        tokio::task::yield_now().await;
    }
    world.idle(&agent).await;
    check(
        "the schedule",
        &scheduled(&world),
        r#"
        tool/call call_1 safe {}
        tool/call call_2 safe {}
        tool/call call_3 safe {}
        tool/result call_1 ok "call_1 passed"
        tool/result call_2 ok "call_2 passed"
        tool/result call_3 ok "call_3 passed"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn an_exclusive_call_waits_for_the_pool_and_holds_up_those_after_it() {
    let world = World::new([calls(["safe", "alone", "safe"]), Reply::text("done")]).await;
    let gates = [Gate::default(), Gate::default()];
    let alone = Gate::default();
    world.tool(concurrent("safe"), gated_each(&gates));
    world.tool(tool_spec("alone"), gated(&alone));
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("tool/call call_1").await;
    alone.open();
    gates[1].open();
    tokio::task::yield_now().await;
    check("before the first ends", &scheduled(&world), "tool/call call_1 safe {}");
    gates[0].open();
    world.idle(&agent).await;
    check(
        "the schedule",
        &scheduled(&world),
        r#"
        tool/call call_1 safe {}
        tool/result call_1 ok "call_1 passed"
        tool/call call_2 alone {}
        tool/result call_2 ok "call_2 passed"
        tool/call call_3 safe {}
        tool/result call_3 ok "call_3 passed"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn no_more_calls_run_at_once_than_the_config_says() {
    let model = ScriptedModel::new([calls(["safe", "safe", "safe"]), Reply::text("done")]);
    let world = World::with(Setup { max_parallel_tool_calls: 2, ..Setup::new(model) }).await;
    let gates = [Gate::default(), Gate::default(), Gate::default()];
    world.tool(concurrent("safe"), gated_each(&gates));
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("tool/call call_2").await;
    tokio::task::yield_now().await;
    check("two of three", &scheduled(&world), "tool/call call_1 safe {} \n tool/call call_2 safe {}");
    // The second ends: the third takes its place though the first result is still out.
    gates[1].open();
    world.recorder.until("tool/call call_3").await;
    gates[2].open();
    gates[0].open();
    world.idle(&agent).await;
    check(
        "the schedule",
        &scheduled(&world),
        r#"
        tool/call call_1 safe {}
        tool/call call_2 safe {}
        tool/call call_3 safe {}
        tool/result call_1 ok "call_1 passed"
        tool/result call_2 ok "call_2 passed"
        tool/result call_3 ok "call_3 passed"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn what_is_finished_is_committed_while_later_calls_start() {
    let world = World::new([calls(["safe", "quick", "safe"]), Reply::text("done")]).await;
    let gates = [Gate::default(), Gate::default()];
    world.tool(concurrent("safe"), gated_each(&gates));
    world.tool(concurrent("quick"), echo());
    gates[1].open();
    let agent = world.agent("s").await;
    // The first call ends while policy thinks about the second.
    let slow = around::<ToolsPreExecute, _>(gates[0].clone(), |first: &Gate, execution, next| {
        Box::pin(async move {
            if execution.name() == "quick" {
                first.open();
                for _ in 0..4 {
                    tokio::task::yield_now().await;
                }
            }
            next.run(execution).await
        })
    });
    world.on(&world.topics.tools.pre_execute, slow);
    world.prompt(&agent, "m1", "go").await;
    check(
        "the schedule",
        &scheduled(&world),
        r#"
        tool/call call_1 safe {}
        tool/call call_2 quick {}
        tool/result call_1 ok "call_1 passed"
        tool/result call_2 ok "{}"
        tool/call call_3 safe {}
        tool/result call_3 ok "call_3 passed"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn the_mode_of_a_call_is_read_when_it_starts() {
    let world = World::new([calls(["safe", "later", "later"]), Reply::text("done")]).await;
    let gates = [Gate::default(), Gate::default()];
    let (tools, row, held) = (Arc::clone(&world.tools), world.row.clone(), gates.clone());
    // The tool `later` exists from the first call on, and its calls may overlap.
    let register = tool_body(move |_args, _call| {
        let registered = tools.register(None, concurrent("later"), gated_each(&held), row.effects());
        let outcome = registered.map(|()| ToolOutput::text("registered")).map_err(|error| ToolError::plain(error.to_string()));
        Box::pin(async move { outcome })
    });
    world.tool(concurrent("safe"), register);
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("tool/call call_3").await;
    gates[1].open();
    gates[0].open();
    world.idle(&agent).await;
    check(
        "the schedule",
        &scheduled(&world),
        r#"
        tool/call call_1 safe {}
        tool/result call_1 ok "registered"
        tool/call call_2 later {}
        tool/call call_3 later {}
        tool/result call_2 ok "call_2 passed"
        tool/result call_3 ok "call_3 passed"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn the_result_of_a_refused_call_comes_before_the_next_call() {
    let world = World::new([calls(["safe", "safe"]), Reply::text("done")]).await;
    let gate = Gate::default();
    world.tool(concurrent("safe"), gated(&gate));
    let agent = world.agent("s").await;
    let deny = around::<ToolsPreExecute, _>((), |(), execution, next| {
        let first = execution.call_id().0.to_string() == "call_1";
        Box::pin(async move {
            if first { next.decide(Ok(PreExecuteDecision::Deny { reason: "not here".to_owned() })) } else { next.run(execution).await }
        })
    });
    world.on(&world.topics.tools.pre_execute, deny);
    gate.open();
    world.prompt(&agent, "m1", "go").await;
    check(
        "the schedule",
        &scheduled(&world),
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
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    check(
        "the schedule",
        &scheduled(&world),
        r#"
        tool/call call_1 nothing {}
        tool/result call_1 failed "Error: unknown tool \"nothing\"" UNKNOWN_TOOL
        tool/call call_1 strict {"pa
        tool/result call_1 failed "Error: invalid arguments: arguments must be of type object, not string" INVALID_ARGS
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
    let lines = scheduled(&world);
    let results: Vec<String> = lines.iter().filter(|line| line.starts_with("tool/result")).map(|line| line[12..21].to_owned()).collect();
    check("the results", &results, "call_1 fa \n call_2 fa \n call_3 ok");
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 completed");
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), r#"tool/result call_1 ok "call_1 passed""#);
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
