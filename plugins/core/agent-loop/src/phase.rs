//! What an agent does at the moment, and what a stimulus does to it.

use dsh_agent::{AgentStatus, Target, Wake};
use dsh_session::catalogue::AbortCause;

use crate::abort::Abort;

/// What an agent does.
pub(crate) enum Phase {
    /// It waits for input.
    Idle,
    /// A driver runs its turns.
    Running {
        /// Signal of the open turn.
        abort: Abort,
        /// A waking message came after the turn was given up; it starts the next activity.
        wake_latched: bool,
    },
    /// It ended for good.
    Ended,
}

/// What a message does, decided before it is put in, so that what observers of the insertion do cannot change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// It starts an idle agent; the driver of a running one finds it.
    Wake,
    /// It starts the next activity once the present one has ended.
    Latch,
    /// It waits for the next waking message.
    Park,
    /// It is not taken.
    Refuse,
}

impl Phase {
    pub(crate) fn status(&self) -> AgentStatus {
        match self {
            Self::Running { .. } => AgentStatus::Running,
            Self::Idle | Self::Ended => AgentStatus::Idle,
        }
    }

    /// Where a message goes and what follows.
    pub(crate) fn receive(&self, target: Target, wake: Wake) -> (Target, Delivery) {
        match (self, wake) {
            (Self::Ended, _) => (target, Delivery::Refuse),
            (_, Wake::No) => (target, Delivery::Park),
            (Self::Idle, Wake::Yes) => (target, Delivery::Wake),
            (Self::Running { abort, .. }, Wake::Yes) => match abort.cause() {
                None => (target, Delivery::Wake),
                Some(AbortCause::Disposed) => (Target::NextTurn, Delivery::Park),
                Some(_) => (Target::NextTurn, Delivery::Latch),
            },
        }
    }
}
