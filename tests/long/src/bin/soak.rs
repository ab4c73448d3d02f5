//! Many sessions in one process for a while, against a model that is slow and fails.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use dsh_long_tests::soak::{Soak, run};
use dsh_product_tests::binary;

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
    /// Longest time in milliseconds that the model takes before an answer.
    #[arg(long, default_value_t = 400)]
    delay_ms: u64,
    /// Binary of a profile with the rows of `minimal`; the one for tests where none is given.
    #[arg(long, value_parser = absolute)]
    binary: Option<PathBuf>,
}

/// The process is started in a folder of its own.
fn absolute(path: &str) -> std::io::Result<PathBuf> {
    std::path::absolute(path)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { seed, sessions, seconds, delay_ms, binary: given } = Arguments::parse();
    let binary = given.unwrap_or_else(|| binary("minimal"));
    println!("seed {seed}");
    let (round, most_delay) = (Duration::from_secs(seconds), Duration::from_millis(delay_ms));
    match run(Soak { seed, sessions, round, most_delay, binary: &binary }).await {
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
