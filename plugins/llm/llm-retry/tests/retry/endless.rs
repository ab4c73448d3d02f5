//! Policies without a maximum.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_agent::RequestErrorAction;
use dsh_llm_retry::{LlmRetry, RetryMode};
use dsh_runtime::{InvariantError, ListenerError};
use dsh_testkit::Reply;

use crate::world::{World, asks_for, fails, without_end};

#[tokio::test(start_paused = true)]
async fn any_failure_is_repeated_and_the_record_names_no_maximum() {
    let failing = ["AUTH", "SERVER", "WHATEVER", "SERVER", "SERVER", "QUOTA", "SERVER"].map(fails);
    let world = World::new(without_end(), failing.into_iter().chain([Reply::text("done")])).await;
    let took = world.turn().await;
    let records = world.all::<LlmRetry>();
    let delays: Vec<f64> = records.iter().map(|record| record.delay_ms).collect();
    assert_eq!(delays, [500.0, 1_000.0, 2_000.0, 4_000.0, 8_000.0, 10_000.0, 10_000.0]);
    assert!((35_500..35_520).contains(&took.as_millis()), "{took:?}");
    assert!(records.iter().all(|record| record.mode == RetryMode::Always && record.max_retries.is_none()));
    let first = &world.raw::<LlmRetry>()[0];
    let middle = r#""provider":"scripted","mode":"always","policyKey":"[\"always\",500,10000,0]","retry":1,"delayMs":500,"#;
    assert!(first.contains(middle), "{first}");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_pause_longer_than_the_longest_gives_way_to_the_policys_own() {
    let world = World::new(without_end(), [asks_for(60_000), asks_for(7), Reply::text("done")]).await;
    world.turn().await;
    assert_eq!(world.all::<LlmRetry>().iter().map(|record| record.delay_ms).collect::<Vec<_>>(), [500.0, 7.0]);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn the_next_listener_is_asked_first_and_its_attempt_wins() {
    let mut world = World::new(without_end(), [fails("SERVER"), fails("SERVER"), Reply::text("done")]).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let first_only = move |_: &_| match count.fetch_add(1, Ordering::SeqCst) {
        0 => Ok(RequestErrorAction::Retry),
        _ => Ok(RequestErrorAction::Fail),
    };
    world.downstream(first_only).await;
    world.turn().await;
    world.check(
        r#"
        assistant/chunk
        llm/retry 1.1 1 500 SERVER
        llm/retry-started 1.1 1
        assistant/chunk
        assistant/message
        step/end {"turn":1,"step":1}
        turn/end {"turn":1,"reason":{"kind":"completed"}}
        "#,
    );
    assert_eq!((asked.load(Ordering::SeqCst), world.model.calls()), (2, 3));
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_failing_listener_does_not_keep_the_call_from_being_repeated() {
    let mut world = World::new(without_end(), [fails("SERVER"), Reply::text("done")]).await;
    world.downstream(|_| Err(ListenerError::new("recovery broke"))).await;
    world.turn().await;
    assert_eq!(world.all::<LlmRetry>().len(), 1);
    assert_eq!(world.lines().last().unwrap(), r#"turn/end {"turn":1,"reason":{"kind":"completed"}}"#);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_broken_runtime_check_ends_the_turn() {
    let mut world = World::new(without_end(), [fails("SERVER"), Reply::text("never asked")]).await;
    world.downstream(|_| Err(InvariantError::new("dsh-other", "a rule").into())).await;
    world.turn().await;
    assert_eq!(world.all::<LlmRetry>(), []);
    let end = r#"turn/end {"turn":1,"reason":{"kind":"error","error":{"message":"dsh-other: a rule","code":"UNKNOWN"}}}"#;
    assert_eq!(world.lines().last().unwrap(), end);
    world.teardown().await;
}
