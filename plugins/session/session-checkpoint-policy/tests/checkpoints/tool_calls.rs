//! Calls of tools apart from a turn.

use std::time::Duration;

use dsh_runtime::event::around;
use dsh_runtime::{CancellationToken, Position};
use dsh_testkit::{call_request, call_tool, run_call};
use dsh_tools::{CallRequest, PreExecuteDecision, ToolAttempt, ToolsExecute, ToolsPreExecute};
use serde_json::json;

use crate::world::{Plan, World};

#[tokio::test(start_paused = true)]
async fn a_call_outside_any_agent_has_no_checkpoint() {
    let world = World::new([], []).await;
    let agent = world.agent().await;
    let request = CallRequest { agent: None, ..call_request(agent, "echo", &json!({})) };
    assert!(!run_call(&world.tooling.tools, request).await.is_error);
    world.check("the body of call_1 runs\nthe result is reviewed");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_denied_call_has_no_checkpoint() {
    let world = World::new([], []).await;
    let deny = around::<ToolsPreExecute, _>((), |(), _call, next| {
        Box::pin(async move { next.decide(Ok(PreExecuteDecision::Deny { reason: "not today".to_owned() })) })
    });
    world.tooling.topics.pre_execute.listen((Position::Row, world.row.row()), None, deny, world.row.effects());
    let agent = world.agent().await;
    assert!(call_tool(&world.tooling.tools, agent, "echo", json!({})).await.is_error);
    world.check("the result is reviewed");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_wrapper_that_ends_the_run_ends_the_flush_too() {
    let world = World::new([], [(1, Plan::Hang)]).await;
    let wrap = around::<ToolsExecute, _>((), |(), attempt: &mut ToolAttempt, next| {
        attempt.signal = CancellationToken::new();
        let signal = attempt.signal.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(5)).await;
            signal.cancel();
        });
        next.run(attempt)
    });
    world.tooling.topics.execute.listen((Position::Row, world.row.row()), None, wrap, world.row.effects());
    let agent = world.agent().await;
    let settled = call_tool(&world.tooling.tools, agent, "echo", json!({})).await;
    assert_eq!(settled.error.unwrap().code, "ABORTED_BEFORE_DISPATCH");
    world.check("flush 1 of s\nthe result is reviewed");
    world.teardown().await;
}
