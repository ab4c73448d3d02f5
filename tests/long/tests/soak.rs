//! A short soak; `cargo run -p dsh-long-tests --bin soak` is the long one.

use std::time::Duration;

use dsh_long_tests::soak::{Soak, run};
use dsh_product_tests::binary;

#[tokio::test]
async fn many_sessions_lose_no_event_and_leak_nothing() {
    let soak = Soak { seed: 1, sessions: 40, round: Duration::from_secs(4), binary: &binary("minimal") };
    let rounds = run(soak).await.unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(rounds.len(), 4);
    assert!(rounds.iter().all(|figures| figures.prompts >= 40), "every session worked in every round: {rounds:?}");
}
