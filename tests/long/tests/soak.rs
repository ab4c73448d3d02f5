//! A short soak; `cargo run -p dsh-long-tests --bin soak` is the long one.

use std::time::Duration;

use dsh_long_tests::soak::{Soak, run};
use dsh_product_tests::binary;

#[tokio::test]
async fn many_sessions_lose_no_event_and_leak_nothing() {
    let (round, most_delay) = (Duration::from_secs(2), Duration::from_millis(100));
    let soak = Soak { seed: 1, sessions: 32, round, most_delay, binary: &binary("minimal") };
    let rounds = run(soak).await.unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(rounds.len(), 4);
    assert!(rounds.iter().all(|figures| figures.prompts >= 32), "every session worked in every round: {rounds:?}");
}
