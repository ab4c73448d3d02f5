//! Policies with a maximum.

use std::time::Duration;

use dsh_agent::RequestErrorAction;
use dsh_llm_retry::{LlmRetry, LlmRetryStarted};
use dsh_message::{LlmFailure, RetryPolicy};
use dsh_session::catalogue::AssistantMessage;
use dsh_testkit::Reply;
use serde_json::json;

use crate::world::{World, asks_for, fails, steady};

#[tokio::test(start_paused = true)]
async fn two_failures_and_a_success_are_one_step_with_two_pauses_of_one_chain() {
    let world = World::new(steady(), [fails("RATE_LIMIT"), fails("SERVER"), Reply::text("done")]).await;
    let took = world.turn().await;
    world.check(
        r#"
        assistant/chunk
        llm/retry 1.1 1 500 RATE_LIMIT
        llm/retry-started 1.1 1
        assistant/chunk
        llm/retry 1.1 2 1000 SERVER
        llm/retry-started 1.1 2
        assistant/chunk
        assistant/message
        step/end {"turn":1,"step":1}
        turn/end {"turn":1,"reason":{"kind":"completed"}}
        "#,
    );
    assert!((1_500..1_510).contains(&took.as_millis()), "{took:?}");
    let (scheduled, started) = (world.all::<LlmRetry>(), world.all::<LlmRetryStarted>());
    assert!(scheduled.iter().all(|record| record.retry_id == scheduled[0].retry_id));
    assert!(started.iter().all(|record| record.retry_id == scheduled[0].retry_id));
    assert_eq!(world.all::<AssistantMessage>().len(), 1);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn the_records_have_the_form_of_the_log() {
    let policy = RetryPolicy { codes: vec!["RATE_LIMIT".to_owned()], initial_delay: Duration::from_micros(512_500), ..steady() };
    let failure = LlmFailure { status: Some(429), request_id: Some("r1".to_owned()), ..LlmFailure::new("RATE_LIMIT", "slow down") };
    let world = World::new(policy, [Reply::failure(failure), Reply::text("done")]).await;
    world.turn().await;
    let id = &world.all::<LlmRetry>()[0].retry_id;
    let scheduled = format!(
        r#"{{"retryId":"{id}","turn":1,"step":1,"provider":"scripted","mode":"normal","policyKey":"[\"normal\",5,[\"RATE_LIMIT\"],512.5,10000,0]","retry":1,"maxRetries":5,"delayMs":512.5,"failure":{{"message":"slow down","code":"RATE_LIMIT","status":429,"requestId":"r1"}}}}"#
    );
    assert_eq!(world.raw::<LlmRetry>(), [scheduled]);
    assert_eq!(world.raw::<LlmRetryStarted>(), [format!(r#"{{"retryId":"{id}","turn":1,"step":1,"retry":1}}"#)]);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn after_the_last_repetition_the_turn_ends_with_the_failure() {
    let policy = RetryPolicy { max_retries: Some(2), ..steady() };
    let world = World::new(policy, [fails("SERVER"), fails("TIMEOUT"), fails("TRANSPORT"), Reply::text("never asked")]).await;
    world.turn().await;
    world.check(
        r#"
        assistant/chunk
        llm/retry 1.1 1 500 SERVER
        llm/retry-started 1.1 1
        assistant/chunk
        llm/retry 1.1 2 1000 TIMEOUT
        llm/retry-started 1.1 2
        assistant/chunk
        step/end {"turn":1,"step":1}
        turn/end {"turn":1,"reason":{"kind":"error","error":{"message":"no luck","code":"TRANSPORT"}}}
        "#,
    );
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_the_provider_asks_for_is_kept_up_to_the_longest() {
    let world = World::new(steady(), [asks_for(10_000), asks_for(3), Reply::text("done")]).await;
    let took = world.turn().await;
    assert_eq!(world.all::<LlmRetry>().iter().map(|record| record.delay_ms).collect::<Vec<_>>(), [10_000.0, 3.0]);
    assert!((10_003..10_010).contains(&took.as_millis()), "{took:?}");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_pause_longer_than_the_longest_is_not_waited_for() {
    let world = World::new(steady(), [asks_for(60_000)]).await;
    let took = world.turn().await;
    world.check(
        r#"
        assistant/chunk
        step/end {"turn":1,"step":1}
        turn/end {"turn":1,"reason":{"kind":"error","error":{"message":"slow down","code":"RATE_LIMIT","providerRetryAfterMs":60000}}}
        "#,
    );
    assert!(took < Duration::from_millis(10), "{took:?}");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn what_the_policy_does_not_repeat_is_left_to_the_next_listener() {
    let policy = RetryPolicy { max_retries: Some(1), ..steady() };
    let replies = [fails("AUTH"), asks_for(60_000), fails("SERVER"), fails("SERVER"), Reply::text("done")];
    let mut world = World::new(policy, replies).await;
    world.downstream(|_| Ok(RequestErrorAction::Retry)).await;
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
    assert_eq!(world.model.calls(), 5);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn what_the_policy_repeats_is_not_shown_to_the_next_listener() {
    let mut world = World::new(steady(), [fails("SERVER"), Reply::text("done")]).await;
    world.downstream(|failed| panic!("asked about {}", failed.failure)).await;
    world.turn().await;
    assert_eq!(world.lines().last().unwrap(), r#"turn/end {"turn":1,"reason":{"kind":"completed"}}"#);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn each_step_counts_anew() {
    let replies = [fails("SERVER"), Reply::tool("echo", &json!({})), fails("SERVER"), Reply::text("done")];
    let world = World::new(RetryPolicy { max_retries: Some(1), ..steady() }, replies).await;
    world.turn().await;
    let places: Vec<_> = world.all::<LlmRetry>().iter().map(|record| (record.step, record.retry)).collect();
    assert_eq!(places, [(1, 1), (2, 1)]);
    assert_ne!(world.all::<LlmRetry>()[0].retry_id, world.all::<LlmRetry>()[1].retry_id);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn another_policy_begins_a_chain_of_its_own_and_the_first_goes_on_where_it_stood() {
    let (first, second) = (steady(), RetryPolicy { initial_delay: Duration::from_millis(20), ..steady() });
    let policies = [first.clone(), second.clone(), first, second];
    let failing = [fails("SERVER"), fails("SERVER"), fails("SERVER"), fails("SERVER"), Reply::text("done")];
    let world = World::with_policies(policies, failing).await;
    world.turn().await;
    let records = world.all::<LlmRetry>();
    assert_eq!(
        records.iter().map(|record| (record.retry, record.delay_ms)).collect::<Vec<_>>(),
        [(1, 500.0), (1, 20.0), (2, 1_000.0), (2, 40.0)]
    );
    assert_eq!((&records[0].retry_id, &records[1].retry_id), (&records[2].retry_id, &records[3].retry_id));
    assert_ne!(records[0].retry_id, records[1].retry_id);
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn the_random_part_of_a_pause_stays_within_its_share() {
    let world = World::new(RetryPolicy::default(), [fails("SERVER"), Reply::text("done")]).await;
    let took = world.turn().await;
    let delay = world.all::<LlmRetry>()[0].delay_ms;
    assert!((450.0..=550.0).contains(&delay), "{delay}");
    assert!(took.as_secs_f64() * 1_000.0 >= delay, "{took:?}");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_route_without_an_adapter_is_not_asked_again() {
    let world = World::new(steady(), []).await;
    let agent = world.agent("elsewhere").await;
    world.prompt(&agent).await;
    assert_eq!(world.all::<LlmRetry>(), []);
    assert!(world.lines().last().unwrap().contains("NO_ADAPTER"));
    world.teardown().await;
}
