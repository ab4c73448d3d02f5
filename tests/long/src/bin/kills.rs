//! Kills a working binary at moments that seeds decide, and judges what it left.

use std::process::ExitCode;

use clap::Parser;
use dsh_long_tests::kill::{Plan, Series, run, victim};

/// Kills a working binary at moments that seeds decide, and judges what it left.
#[derive(Parser)]
struct Arguments {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds.
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// How many at once.
    #[arg(long, default_value_t = 4)]
    at_once: usize,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { seed, count, at_once } = Arguments::parse();
    let binary = victim();
    if count == 1 {
        println!("{:#?}", Plan::of(seed));
    }
    let tally = run(Series { first: seed, count, at_once }, &binary, |seed, problems| {
        println!("seed {seed} (alone: --seed {seed} --count 1):");
        problems.iter().for_each(|problem| println!("  {problem}"));
    })
    .await;
    let seeds = format!("seeds {seed} to {}", seed + count - 1);
    println!(
        "{seeds}: {} kills, {} in a turn, {} with a torn log, {} told events found",
        tally.kills, tally.in_turn, tally.torn, tally.told
    );
    println!("died at boundaries: {:?}", tally.boundaries);
    println!("failures: {:?}", tally.failures.iter().map(|(seed, _)| seed).collect::<Vec<_>>());
    if tally.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
