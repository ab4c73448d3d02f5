//! Tool calls of turns that are given up.

use std::sync::Arc;

use dsh_agent::{Agent, KeepInbox, Target};
use dsh_runtime::event::{around, observer};
use dsh_session::catalogue::AbortCause;
use dsh_testkit::{tool_body, tool_spec};
use dsh_tools::{ToolError, ToolOutcome, ToolsPostExecute, ToolsResult};

use crate::world::{Gate, World, calls, check, concluding, concurrent, deferring, echo, gated, user};

#[tokio::test]
async fn of_three_calls_the_running_one_ends_and_the_others_are_answered_without_running() {
    let reply = calls(["slow", "slow", "slow"]);
    for spec in [tool_spec("slow"), concurrent("slow")] {
        let world = World::new([reply.clone()]).await;
        let is_concurrent = spec.concurrent;
        world.tool(spec, gated(&Gate::default()));
        let heard = Arc::clone(&world.recorder);
        let result = move |outcome: &ToolOutcome| heard.live_event(format!("tools/result {}", outcome.execution.call_id()));
        world.on(&world.topics.tools.result, observer::<ToolsResult, _>(result));
        let agent = world.agent("s").await;
        agent.followup(user("m1", "go")).unwrap();
        world.recorder.until(if is_concurrent { "tool/call call_3" } else { "tool/call call_1" }).await;
        agent.cancel(AbortCause::User, KeepInbox::No);
        world.idle(&agent).await;
        let ended = r#"failed "Error: given up" ABORTED"#;
        let skipped = r#"failed "Error: tool call aborted before dispatch" ABORTED_BEFORE_DISPATCH"#;
        let lines = if is_concurrent {
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
        check("what follows the reply", &world.after_the_reply(), &format!("{lines}\nstep/end 1.1\nturn/end 1 aborted user"));
        let results = world.recorder.live().iter().filter(|line| line.starts_with("tools/result")).count();
        assert_eq!(results, if is_concurrent { 3 } else { 1 }, "calls that never started go through no stage");
        world.teardown().await;
    }
}

#[tokio::test]
async fn calls_of_a_reply_that_is_cancelled_as_it_is_recorded_are_answered_without_running() {
    let world = World::new([calls(["echo", "echo"])]).await;
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    world.cancel_at(&agent, "assistant/message", KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &world.after_the_reply(),
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
    let world = World::new([calls(["echo"])]).await;
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    world.cancel_at(&agent, "tool/call", KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &world.after_the_reply(),
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
    let world = World::new([calls(["defer"])]).await;
    world.tool(tool_spec("defer"), deferring());
    let agent = world.agent("s").await;
    cancel_at_review(&world, &agent);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &world.after_the_reply(),
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
    let world = World::new([calls(["fail"])]).await;
    let body = tool_body(|_args, _call| Box::pin(async move { Err(ToolError::coded("DiskError", "DISK", "disk full")) }));
    world.tool(tool_spec("fail"), body);
    let agent = world.agent("s").await;
    cancel_at_review(&world, &agent);
    world.prompt(&agent, "m1", "go").await;
    check(
        "what follows the reply",
        &world.after_the_reply(),
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
    let world = World::new([calls(["finish"])]).await;
    world.tool(tool_spec("finish"), concluding());
    let agent = world.agent("s").await;
    world.cancel_at(&agent, "tool/result", KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 aborted user");
    world.teardown().await;
}
