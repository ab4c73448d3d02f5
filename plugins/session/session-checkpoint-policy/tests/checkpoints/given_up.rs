//! Turns that are cancelled while a flush is under way.

use dsh_agent::KeepInbox;
use dsh_session::catalogue::{AbortCause, TurnEnd, TurnEndReason};
use dsh_testkit::Reply;
use serde_json::json;

use crate::world::{Plan, World};

/// Runs a turn until its flush `number` is under way and cancels it there.
async fn cancelled_in(number: usize, replies: impl IntoIterator<Item = Reply>) -> World {
    let world = World::new(replies, [(number, Plan::Hang)]).await;
    let agent = world.agent().await;
    world.prompt(&agent);
    world.settle().await;
    assert_eq!(world.happened().last().unwrap(), &format!("flush {number} of s"));
    agent.cancel(AbortCause::User, KeepInbox::No);
    world.idle(&agent).await;
    assert_eq!(world.last::<TurnEnd>().reason, TurnEndReason::Aborted { reason: AbortCause::User });
    world
}

#[tokio::test(start_paused = true)]
async fn before_a_step() {
    let world = cancelled_in(1, []).await;
    world.check_after("flush 1 of s", "turn/end");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn before_a_call_of_the_model() {
    let world = cancelled_in(2, []).await;
    world.check_after("flush 2 of s", "step/end\nturn/end");
    assert_eq!(world.model.calls().len(), 0);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn before_a_body() {
    let world = cancelled_in(3, [Reply::tool("echo", &json!({}))]).await;
    world.check_after(
        "flush 3 of s",
        "
        the result is reviewed
        tool/result
        step/end
        turn/end
        ",
    );
    let (failed, code, _) = world.result();
    assert_eq!((failed, code.as_deref()), (true, Some("ABORTED_BEFORE_DISPATCH")));
    world.teardown().await;
}
