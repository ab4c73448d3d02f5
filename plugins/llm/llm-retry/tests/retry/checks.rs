//! The runtime checks of the records.

use std::sync::Arc;

use dsh_llm_retry::{LlmRetries, LlmRetry, LlmRetryStarted, RetryMode};
use dsh_message::LlmFailure;
use dsh_runtime::NoConfig;
use dsh_session::catalogue::{RequestContext, StepEnd, StepStart, TurnStart};
use dsh_session::{EventData, NewSession, Session};
use dsh_testkit::{EveryInvariant, Harness};

/// A session in its first step, on the route `p`.
async fn in_a_step(harness: &mut Harness) -> Arc<Session> {
    let sessions = harness.sessions().await;
    let inject = dsh_llm_retry::Inject {
        invariants: Some(Arc::new(EveryInvariant)),
        committing: sessions.topics.committing.dispatcher(),
        disposed: sessions.topics.disposed.dispatcher(),
    };
    harness.mount::<LlmRetries>("llm-retry", NoConfig {}, inject).await;
    let session = sessions.store.prepare("s".into(), NewSession::default(), None).unwrap();
    sessions.store.enter(&session).unwrap();
    sessions.store.announce(&session).unwrap();
    session.append(&TurnStart { turn: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 1 }).unwrap();
    session.append(&RequestContext { provider: "p".to_owned(), model: "m".to_owned(), context_window: None }).unwrap();
    session
}

fn scheduled(retry: u64) -> LlmRetry {
    LlmRetry {
        retry_id: "r".to_owned(),
        turn: 1,
        step: 1,
        provider: "p".to_owned(),
        mode: RetryMode::Normal,
        policy_key: "k".to_owned(),
        retry,
        max_retries: Some(3),
        delay_ms: 0.5,
        failure: LlmFailure::new("SERVER", "no luck"),
    }
}

fn started(retry: u64) -> LlmRetryStarted {
    LlmRetryStarted { retry_id: "r".to_owned(), turn: 1, step: 1, retry }
}

/// A record that must be kept out, with words of the rule.
fn refuse<T: EventData>(session: &Arc<Session>, record: &T, rule: &str) {
    let length = session.length();
    let refusal = session.append(record).expect_err(rule).to_string();
    assert!(refusal.contains("dsh-llm-retry: ") && refusal.contains(rule), "{refusal}");
    assert_eq!(session.length(), length);
}

#[tokio::test]
async fn records_of_a_wrong_form_are_kept_out() {
    let mut harness = Harness::new();
    let session = in_a_step(&mut harness).await;
    let one = || scheduled(1);
    refuse(&session, &LlmRetry { retry_id: String::new(), ..one() }, "one of its texts is empty");
    refuse(&session, &LlmRetry { policy_key: String::new(), ..one() }, "one of its texts is empty");
    refuse(&session, &LlmRetry { failure: LlmFailure::new("", "no luck"), ..one() }, "one of its texts is empty");
    refuse(&session, &LlmRetry { max_retries: None, ..one() }, "its maximum does not fit its mode");
    refuse(&session, &LlmRetry { mode: RetryMode::Always, ..one() }, "its maximum does not fit its mode");
    refuse(&session, &LlmRetry { max_retries: Some(0), ..one() }, "repetition 1 is above the maximum 0");
    refuse(&session, &LlmRetry { delay_ms: -1.0, ..one() }, "no timer waits -1 ms");
    refuse(&session, &LlmRetry { delay_ms: 2_147_483_648.0, ..one() }, "no timer waits 2147483648 ms");
    session.append(&LlmRetry { delay_ms: 2_147_483_647.0, ..one() }).unwrap();
    harness.teardown().await;
}

#[tokio::test]
async fn records_stand_in_their_step_and_name_its_route() {
    let mut harness = Harness::new();
    let session = in_a_step(&mut harness).await;
    refuse(&session, &LlmRetry { provider: "q".to_owned(), ..scheduled(1) }, "it names the route `q`");
    refuse(&session, &LlmRetry { step: 2, ..scheduled(1) }, "it names");
    session.append(&scheduled(1)).unwrap();
    refuse(&session, &LlmRetryStarted { turn: 2, ..started(1) }, "it names");
    session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
    refuse(&session, &started(1), "open is None");
    refuse(&session, &scheduled(2), "open is None");
    harness.teardown().await;
}

#[tokio::test]
async fn repetitions_of_a_chain_follow_each_other_under_one_id() {
    let mut harness = Harness::new();
    let session = in_a_step(&mut harness).await;
    refuse(&session, &scheduled(2), "repetition 2 stands where 1 belongs");
    session.append(&scheduled(1)).unwrap();
    refuse(&session, &scheduled(1), "repetition 1 stands where 2 belongs");
    refuse(&session, &LlmRetry { retry_id: "other".to_owned(), ..scheduled(2) }, "the id `other` is not that of its chain alone");
    refuse(&session, &LlmRetry { policy_key: "k2".to_owned(), ..scheduled(1) }, "the id `r` is not that of its chain alone");
    session.append(&LlmRetry { policy_key: "k2".to_owned(), retry_id: "other".to_owned(), ..scheduled(1) }).unwrap();
    session.append(&scheduled(2)).unwrap();
    session.append(&StepEnd { turn: 1, step: 1 }).unwrap();
    session.append(&StepStart { turn: 1, step: 2 }).unwrap();
    refuse(&session, &LlmRetry { step: 2, ..scheduled(3) }, "repetition 3 stands where 1 belongs");
    session.append(&LlmRetry { step: 2, ..scheduled(1) }).unwrap();
    harness.teardown().await;
}

#[tokio::test]
async fn a_start_follows_its_own_pause_once() {
    let mut harness = Harness::new();
    let session = in_a_step(&mut harness).await;
    refuse(&session, &started(1), "repetition 1 of `r` is not waiting");
    session.append(&scheduled(1)).unwrap();
    refuse(&session, &started(2), "repetition 2 of `r` is not waiting");
    refuse(&session, &LlmRetryStarted { retry_id: "other".to_owned(), ..started(1) }, "repetition 1 of `other` is not waiting");
    session.append(&started(1)).unwrap();
    refuse(&session, &started(1), "repetition 1 of `r` is not waiting");
    session.append(&scheduled(2)).unwrap();
    session.append(&started(2)).unwrap();
    harness.teardown().await;
}
