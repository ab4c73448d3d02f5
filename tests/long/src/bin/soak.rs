//! Many sessions in one process for a while, against a model that is slow and fails.

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use dsh_long_tests::soak::{Soak, run};

/// Many sessions in one process for a while, against a model that is slow and fails.
#[derive(Parser)]
struct Arguments {
    /// Decides what is prompted when.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Sessions in the process.
    #[arg(long, default_value_t = 500)]
    sessions: u64,
    /// How long each of four rounds lasts.
    #[arg(long, default_value_t = 120)]
    seconds: u64,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { seed, sessions, seconds } = Arguments::parse();
    println!("seed {seed}");
    match run(Soak { seed, sessions, round: Duration::from_secs(seconds) }).await {
        Ok(rounds) => {
            rounds.iter().for_each(|figures| println!("{figures:#?}"));
            ExitCode::SUCCESS
        }
        Err(problems) => {
            problems.iter().for_each(|problem| println!("{problem}"));
            ExitCode::FAILURE
        }
    }
}
