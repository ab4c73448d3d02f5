//! Takes very long logs up, and measures what a step costs late in a turn.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use dsh_long_tests::long_log::{Shape, steps, take_up};
use dsh_product_tests::binary;

/// Takes very long logs up, and measures what a step costs late in a turn.
#[derive(Parser)]
struct Arguments {
    /// Events of each log.
    #[arg(long, default_value_t = 1_300_000)]
    events: u64,
    /// Steps of the turn.
    #[arg(long, default_value_t = 2_000)]
    steps: u64,
    /// Binary of a profile with the rows of `minimal`; the one for tests where none is given.
    #[arg(long)]
    binary: Option<PathBuf>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { events, steps: count, binary: given } = Arguments::parse();
    let binary = given.unwrap_or_else(|| binary("minimal"));
    let mut failed = false;
    for (shape, compression) in [(Shape::Streams, "none"), (Shape::Calls, "none"), (Shape::Streams, "zstd"), (Shape::Calls, "zstd")] {
        match take_up(&binary, compression, shape, events).await {
            Ok(figures) => println!("{shape:?}, {compression}: {figures:#?}"),
            Err(problem) => {
                failed = true;
                println!("{shape:?}, {compression}: {problem}");
            }
        }
    }
    match steps(&binary, count).await {
        Ok(costs) => {
            let mean = |from: usize| {
                let window = costs.iter().skip(from).take(20);
                window.clone().sum::<u64>() / (window.count().max(1) as u64) / 1_000
            };
            for from in [20, 200, 500, 1_000, costs.len().saturating_sub(20)] {
                println!("steps {from} to {}: {} µs of processor time each", from + 20, mean(from));
            }
        }
        Err(problem) => {
            failed = true;
            println!("{problem}");
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
