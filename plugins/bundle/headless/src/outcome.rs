//! How a run ended, in one word.

use dsh_runtime::Exit;
use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// The turn completed with an answer.
    Completed,
    /// There is no answer.
    GaveUp,
    /// A budget, the deadline or the ceiling of output was reached.
    Budget,
    /// The model's provider failed or refused.
    Provider,
    /// The surroundings lack something.
    Environment,
    /// A runtime check of the harness failed.
    Bug,
    /// The process was asked to end.
    Interrupted,
}

impl Outcome {
    /// The exit status of a process that did or did not get a signal; a run that completed all the same was not ended by it.
    pub(crate) fn exit(self, signal: Option<u8>) -> Exit {
        match (signal, self) {
            (_, Self::Completed) => Exit::COMPLETED,
            (Some(number), _) => Exit(128_u8.saturating_add(number)),
            (None, Self::GaveUp | Self::Interrupted) => Exit::GAVE_UP,
            (None, Self::Budget) => Exit::BUDGET,
            (None, Self::Provider) => Exit::PROVIDER,
            (None, Self::Environment) => Exit::ENVIRONMENT,
            (None, Self::Bug) => Exit::BUG,
        }
    }

    /// Whether the run itself came to its end. Otherwise what is around it ended it, and a second start may go on.
    pub(crate) fn is_final(self) -> bool {
        match self {
            Self::Completed | Self::GaveUp | Self::Budget | Self::Bug => true,
            Self::Provider | Self::Environment | Self::Interrupted => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_decides_unless_the_run_completed() {
        let exits =
            [Outcome::Completed, Outcome::Interrupted, Outcome::Budget].map(|outcome| (outcome.exit(None).0, outcome.exit(Some(15)).0));
        assert_eq!(exits, [(0, 0), (1, 143), (3, 143)]);
    }
}
