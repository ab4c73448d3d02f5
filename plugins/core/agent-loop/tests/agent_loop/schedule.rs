//! The schedule of tool calls.

use std::sync::Arc;

use dsh_runtime::event::around;
use dsh_testkit::{Reply, ScriptedModel, tool_body, tool_spec};
use dsh_tools::{ToolError, ToolOutput, ToolsPreExecute};
use serde_json::json;

use crate::world::{Gate, Setup, World, calls, check, concurrent, echo, gated, gated_each, user};

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
    check("before the first ends", &world.calls(), "tool/call call_1 alone {}");
    gate.open();
    gate.open();
    world.idle(&agent).await;
    check(
        "the schedule",
        &world.calls(),
        r#"
        tool/call call_1 alone {}
        tool/result call_1 ok "call_1 passed"
        tool/call call_2 alone {}
        tool/result call_2 ok "call_2 passed"
        "#,
    );
    world.teardown().await;
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
        &world.calls(),
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
    tokio::task::yield_now().await;
    check("before the first ends", &world.calls(), "tool/call call_1 safe {}");
    gates[0].open();
    world.recorder.until("tool/call call_2").await;
    tokio::task::yield_now().await;
    assert_eq!(world.last(), "tool/call call_2 alone {}", "the third waits for the second");
    alone.open();
    gates[1].open();
    world.idle(&agent).await;
    check(
        "the schedule",
        &world.calls(),
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
    check("two of three", &world.calls(), "tool/call call_1 safe {} \n tool/call call_2 safe {}");
    // The second ends: the third takes its place though the first result is still out.
    gates[1].open();
    world.recorder.until("tool/call call_3").await;
    gates[2].open();
    gates[0].open();
    world.idle(&agent).await;
    check(
        "the schedule",
        &world.calls(),
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
        &world.calls(),
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
        &world.calls(),
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
