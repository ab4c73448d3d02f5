//! Many sessions in one process for a while, against a model that is slow and fails, in rounds: each round takes the sessions of the
//! one before up again and ends in another way.

mod judge;
mod round;

use std::path::Path;
use std::time::Duration;

use dsh_product_tests::Place;
use dsh_testkit::MockServer;

use crate::model::{self, Habits};
pub use round::{Ending, Figures};

/// How much longer the model may take for an answer than for a piece of one.
const PIECES: u32 = 16;

/// How long and how broad.
#[derive(Clone, Copy, Debug)]
pub struct Soak<'a> {
    /// Decides what is prompted when.
    pub seed: u64,
    /// Sessions in the process.
    pub sessions: u64,
    /// How long each round lasts.
    pub round: Duration,
    /// Longest time that the model takes before an answer.
    pub most_delay: Duration,
    /// Binary of a profile with the rows of `minimal`.
    pub binary: &'a Path,
}

/// Runs it and yields the figures of each round, or everything that was wrong.
///
/// # Errors
/// The rules that were broken, in words.
pub async fn run(soak: Soak<'_>) -> Result<Vec<Figures>, Vec<String>> {
    let place = Place::new();
    let habits = Habits {
        most_delay: soak.most_delay,
        most_pace: soak.most_delay / PIECES,
        one_fails_of: 15,
        shell_in_one_of: 10,
        leaves_processes: false,
    };
    let server = MockServer::start(model::script(&place.workspace(), habits)).await;
    let mut figures = Vec::new();
    for (number, ending) in (0..).zip([Ending::ShutdownAtRest, Ending::ShutdownAtWork, Ending::EndOfInput, Ending::Terminated]) {
        let round = round::Round { soak, number, ending, place: &place, server: &server };
        let (figure, problems) = round.run().await;
        eprintln!("{figure:?}");
        if !problems.is_empty() {
            return Err(problems.into_iter().map(|problem| format!("round {number} ({ending:?}): {problem}")).collect());
        }
        figures.push(figure);
    }
    Ok(figures)
}
