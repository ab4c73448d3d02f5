//! The driver of one activity: turn after turn until nothing is left to run.

use std::sync::Arc;

use dsh_agent::{Agent, Failed};
use dsh_message::LlmFailure;

use crate::abort::Abort;
use crate::loop_agent::LoopAgent;
use crate::phase::Phase;
use crate::turn::Closed;

/// What follows a turn.
enum After {
    /// The next turn of the same activity.
    Turn(Abort),
    /// The activity is over; a message may have asked for another one.
    Rest { restart: bool },
}

impl LoopAgent {
    /// Runs turns. It is a task of its own and ends by itself once the agent is idle.
    pub(crate) async fn drive(self: Arc<Self>, first: Abort) {
        let mut abort = first;
        loop {
            let closed = if abort.cause().is_some() { Closed::Stop } else { self.run_turn(&abort).await };
            match self.after(closed) {
                After::Turn(next) => abort = next,
                After::Rest { restart } => return self.settle(restart),
            }
        }
    }

    /// Decides under one lock what follows, so that a message that comes afterwards finds an idle agent and starts it.
    fn after(&self, closed: Closed) -> After {
        let mut phase = self.phase();
        let latched = matches!(*phase, Phase::Running { wake_latched: true, .. });
        let pending = !self.inbox().is_empty();
        if closed == Closed::Drain && pending {
            let abort = Abort::default();
            *phase = Phase::Running { abort: abort.clone(), wake_latched: false };
            return After::Turn(abort);
        }
        *phase = Phase::Idle;
        After::Rest { restart: latched && pending }
    }

    /// Announces a failure that ended a turn.
    pub(crate) fn report(&self, turn: u64, step: u64, failure: LlmFailure) {
        let Some(agent) = self.shared() else { return };
        if let Err(error) = self.services.events.error.emit(&Failed { agent, turn, step, failure }) {
            tracing::error!(agent = %self.id(), %error, "a runtime check failed when a failure was announced");
        }
    }
}
