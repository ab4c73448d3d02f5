//! The driver of one activity: turn after turn until nothing is left to run.

use std::sync::Arc;

use dsh_agent::{Agent, AgentStatus, Failed, StatusChange};
use dsh_message::LlmFailure;
use futures_util::FutureExt;

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
    /// Starts a driver, unless one runs or the agent is ending.
    pub(crate) fn start(self: &Arc<Self>) {
        let abort = Abort::default();
        {
            let mut phase = self.phase();
            if self.is_ending() || !matches!(*phase, Phase::Idle) {
                return;
            }
            *phase = Phase::Running { abort: abort.clone(), wake_latched: false };
            self.set_idle(false);
        }
        self.announce(AgentStatus::Running);
        let mut driver = Box::pin(Arc::clone(self).drive(abort));
        // The first poll opens the turn and claims its input before the sender goes on, so that what the sender does next (another
        // message, a cancellation) meets an open turn. The task polls again at once, so no wake-up of this poll can be missed.
        if (&mut driver).now_or_never().is_none() {
            tokio::spawn(driver);
        }
    }

    /// Runs turns. It is a task of its own and ends by itself once the agent is idle.
    async fn drive(self: Arc<Self>, first: Abort) {
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
        let (given_up, latched) = match &*phase {
            Phase::Running { abort, wake_latched } => (abort.cause().is_some(), *wake_latched),
            Phase::Idle | Phase::Ended => (true, false),
        };
        let pending = !self.inbox().is_empty();
        // A turn that was given up while its end was announced has run to its end, but what waits is not run.
        if closed == Closed::Drain && pending && !given_up {
            let abort = Abort::default();
            *phase = Phase::Running { abort: abort.clone(), wake_latched: false };
            return After::Turn(abort);
        }
        *phase = Phase::Idle;
        After::Rest { restart: latched && pending }
    }

    /// Announces that the activity ended, after the phase became idle, and starts the next one where a message asked for it.
    fn settle(self: &Arc<Self>, restart: bool) {
        self.announce(AgentStatus::Idle);
        if restart {
            self.start();
        }
        if matches!(*self.phase(), Phase::Idle) {
            self.set_idle(true);
        }
    }

    fn announce(self: &Arc<Self>, status: AgentStatus) {
        if let Err(error) = self.services.events.status.emit(&StatusChange { agent: self.shared(), status }) {
            tracing::error!(agent = %self.id(), %error, "a runtime check failed on a change of status");
        }
    }

    /// Announces a failure that ended a turn.
    pub(crate) fn report(self: &Arc<Self>, turn: u64, step: u64, failure: LlmFailure) {
        if let Err(error) = self.services.events.error.emit(&Failed { agent: self.shared(), turn, step, failure }) {
            tracing::error!(agent = %self.id(), %error, "a runtime check failed when a failure was announced");
        }
    }
}
