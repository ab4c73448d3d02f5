//! Logs that cannot be made durable.

use dsh_session::catalogue::{TurnEnd, TurnEndReason};
use dsh_testkit::Reply;
use serde_json::json;

use crate::world::{Plan, World};

/// The end of the turn as the log has it.
fn end(world: &World) -> String {
    match world.last::<TurnEnd>().reason {
        TurnEndReason::Error { error } => error.to_string(),
        reason => format!("{reason:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_step_is_not_proposed_further() {
    let world = World::new([], [(1, Plan::Fail)]).await;
    world.turn().await;
    world.check(
        "
        agent/inbox/spliced
        turn/start
        agent/inbox/spliced
        flush 1 of s
        turn/end
        ",
    );
    assert_eq!(end(&world), "UNKNOWN: the disk is full");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn the_model_is_not_asked() {
    let world = World::new([], [(2, Plan::Fail)]).await;
    world.turn().await;
    world.check(
        "
        agent/inbox/spliced
        turn/start
        agent/inbox/spliced
        flush 1 of s
        later listeners of step 1
        step/start
        user/message
        request/header
        request/context
        flush 2 of s
        step/end
        turn/end
        ",
    );
    assert_eq!(end(&world), "UNKNOWN: the disk is full");
    assert_eq!(world.model.calls().len(), 0);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_body_does_not_run_and_its_call_fails_without_review() {
    let world = World::new([Reply::tool("echo", &json!({})), Reply::text("done")], [(3, Plan::Fail)]).await;
    world.turn().await;
    world.check_after(
        "tool/call",
        "
        flush 3 of s
        tool/result
        step/end
        flush 4 of s
        later listeners of step 2
        step/start
        flush 5 of s
        the model is asked
        assistant/chunk
        assistant/message
        step/end
        turn/end
        ",
    );
    assert_eq!(world.result(), (true, None, "Error: the disk is full".to_owned()));
    assert_eq!(end(&world), "Completed");
    world.teardown().await;
}
