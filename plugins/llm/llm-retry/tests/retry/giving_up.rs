//! What ends a pause before its time.

use std::sync::Arc;
use std::time::Duration;

use dsh_agent::{Agent, KeepInbox};
use dsh_llm_retry::{LlmRetry, LlmRetryStarted};
use dsh_message::RetryPolicy;
use dsh_runtime::TeardownReport;
use dsh_session::catalogue::AbortCause;
use dsh_testkit::{Reply, ScriptedModel};
use tokio::time::Instant;

use crate::world::{World, fails, prompt, steady, without_end};

/// A world whose agent is in the middle of its first pause.
async fn pausing(policy: RetryPolicy) -> (World, Arc<dyn Agent>) {
    let world = World::new(policy, [fails("SERVER"), fails("SERVER"), Reply::text("done")]).await;
    let agent = world.agent(ScriptedModel::PROVIDER).await;
    agent.followup(prompt()).unwrap();
    // The clock moves on only when nothing else can, so the agent is in its pause after this.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!((world.all::<LlmRetry>().len(), world.all::<LlmRetryStarted>().len()), (1, 0));
    (world, agent)
}

const CANCELLED: &str = r#"
    assistant/chunk
    llm/retry 1.1 1 500 SERVER
    step/end {"turn":1,"step":1}
    turn/end {"turn":1,"reason":{"kind":"aborted","reason":{"kind":"user"}}}
"#;

#[tokio::test(start_paused = true)]
async fn a_cancelled_turn_ends_its_pause_at_once() {
    for policy in [steady(), without_end()] {
        let (world, agent) = pausing(policy).await;
        let start = Instant::now();
        agent.cancel(AbortCause::User, KeepInbox::No);
        world.idle(&agent).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
        world.check(CANCELLED);
        assert_eq!(world.model.calls(), 1);
        world.teardown().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_later_turn_begins_a_chain_of_its_own() {
    let (world, agent) = pausing(steady()).await;
    agent.cancel(AbortCause::User, KeepInbox::No);
    world.idle(&agent).await;
    world.prompt(&agent).await;
    let records = world.all::<LlmRetry>();
    assert_eq!(records.iter().map(|record| (record.turn, record.retry)).collect::<Vec<_>>(), [(1, 1), (2, 1)]);
    assert_ne!(records[0].retry_id, records[1].retry_id);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_row_ends_its_pauses_and_waits_for_them() {
    for policy in [steady(), without_end()] {
        let (world, agent) = pausing(policy).await;
        let start = Instant::now();
        assert_eq!(world.retry.effects().unwind().await, TeardownReport::default());
        assert_eq!(start.elapsed(), Duration::ZERO);
        let ended = r#"
            assistant/chunk
            llm/retry 1.1 1 500 SERVER
            step/end {"turn":1,"step":1}
            turn/end {"turn":1,"reason":{"kind":"error","error":{"message":"no luck","code":"SERVER"}}}
        "#;
        world.check(ended);
        world.idle(&agent).await;
        world.prompt(&agent).await;
        assert_eq!(world.all::<LlmRetry>().len(), 1, "nobody repeats the call of the second turn");
        world.teardown().await;
    }
}

#[tokio::test(start_paused = true)]
async fn when_the_binary_stops_the_turn_ends_with_its_agent() {
    let (world, agent) = pausing(steady()).await;
    let start = Instant::now();
    let session = Arc::clone(agent.session());
    let log = world.log();
    world.teardown().await;
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert_eq!(session.open_turn(), None);
    let end = log.lock().unwrap().last().unwrap().data.get().to_owned();
    assert_eq!(end, r#"{"turn":1,"reason":{"kind":"aborted","reason":{"kind":"disposed"}}}"#);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_cancelled_by_the_next_listener_is_not_repeated() {
    let mut world = World::new(without_end(), [fails("SERVER"), Reply::text("never asked")]).await;
    let decide = |failed: &dsh_agent::RequestError| {
        failed.agent.cancel(AbortCause::User, KeepInbox::No);
        Ok(dsh_agent::RequestErrorAction::Fail)
    };
    world.downstream(decide).await;
    world.turn().await;
    assert_eq!(world.all::<LlmRetry>(), []);
    assert!(world.lines().last().unwrap().contains("aborted"));
    world.teardown().await;
}
