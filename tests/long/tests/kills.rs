//! The first hundred kills of the long series; `cargo run -p dsh-long-tests --bin kills` carries out all.

use dsh_long_tests::kill::{ARMING, Series, run, victim};
use dsh_product_tests::binary;

#[tokio::test]
async fn a_killed_process_loses_nothing_that_was_told_and_leaves_nothing_running() {
    let binary = victim();
    let series = Series { first: 1, count: 100, at_once: 6 };
    let tally = run(series, &binary, |seed, problems| eprintln!("seed {seed}: {problems:#?}")).await;
    assert_eq!(tally.failures, [], "each alone: cargo run -p dsh-long-tests --bin kills -- --count 1 --seed SEED");
    assert_eq!(tally.kills, 100);
    // Where and when the kills come is decided by seeds; they must not all miss.
    assert!(tally.in_turn >= 30 && tally.torn >= 1 && tally.boundaries.len() >= 10, "{tally:?}");
}

#[test]
fn an_ordinary_binary_has_no_boundaries_at_which_it_could_be_made_to_die() {
    let holds = |path: std::path::PathBuf| {
        let bytes = std::fs::read(path).expect("the binary is there");
        bytes.windows(ARMING.len()).any(|window| window == ARMING.as_bytes())
    };
    assert!(holds(victim()), "the name is found where it is");
    assert!(!holds(binary("minimal")));
}
