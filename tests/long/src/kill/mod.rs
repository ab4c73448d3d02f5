//! Kills: a binary that works is killed at a moment that a seed decides, and what it left is judged.

mod headless;
mod plan;
mod series;
mod serve;

pub use plan::{Kill, Plan, Point, Way};
pub use series::{Series, Tally, run};

use std::path::PathBuf;
use std::time::Duration;

use dsh_product_tests::{Place, binary_with};
use tokio::process::Command;

use crate::model;

/// What the tested binary has that an ordinary one has not.
const FEATURES: [&str; 2] = ["dsh-session-persistence-jsonl/failpoints", "dsh-headless/failpoints"];
/// Variable that arms its boundaries.
pub const ARMING: &str = "DSH_FAILPOINTS";
/// How long what a killed process started may take to be gone.
const MOST_TO_BE_GONE: Duration = Duration::from_secs(5);

/// The binary that is killed: the profile `minimal` with boundaries at which it can be made to die.
#[must_use]
pub fn victim() -> PathBuf {
    binary_with("minimal", &FEATURES)
}

/// What one kill showed.
#[derive(Debug, Default)]
pub struct Shown {
    /// Rules that were broken; none is what is wanted.
    pub problems: Vec<String>,
    /// Events that the client had been told of and that were looked for.
    pub told: usize,
    /// Whether the process had work when it was killed.
    pub in_turn: bool,
    /// Whether the boundary was reached at which the process was to die.
    pub reached: bool,
    /// Whether the log was cut by the kill within a line or a frame.
    pub torn: bool,
}

/// Starts the victim so that it dies where the plan says, if it says so.
fn command(place: &Place, binary: &std::path::Path, server: &str, plan: &Plan, dies_at: Option<&Point>) -> Command {
    let mut command = model::client(place, binary, server);
    command.env("DSH_SESSION_COMPRESSION", plan.compression);
    if let Some(point) = dies_at {
        command.env(ARMING, point.to_string());
    }
    command
}

/// Waits until nothing runs any more that was started in a place; yields what still does.
async fn left_running(place: &Place) -> Vec<String> {
    let start = std::time::Instant::now();
    loop {
        let running = place.processes();
        if running.is_empty() || start.elapsed() > MOST_TO_BE_GONE {
            return running;
        }
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}
