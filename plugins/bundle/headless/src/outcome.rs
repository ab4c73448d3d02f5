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
    /// The exit status of a process that was or was not ended by a signal.
    pub(crate) fn exit(self, signal: Option<u8>) -> Exit {
        match (signal, self) {
            (Some(number), _) => Exit(128_u8.saturating_add(number)),
            (None, Self::Completed) => Exit::COMPLETED,
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
