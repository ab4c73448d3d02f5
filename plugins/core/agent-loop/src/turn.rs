//! A turn: steps until the model owes nothing, between a `turn/start` and a `turn/end` that are both always written.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use dsh_agent::{Agent, ClaimFrom, PreStep, PreStepDecision, Target, TurnStopping};
use dsh_message::LlmFailure;
use dsh_session::catalogue::{StepEnd, StepStart, TurnEnd, TurnEndReason, TurnStart};
use dsh_system_prompt::{AssembleContext, Rendered, render};
use futures_util::FutureExt;

use crate::abort::Abort;
use crate::failure::Stop;
use crate::loop_agent::LoopAgent;
use crate::proposal::Enter;
use crate::step::{Outcome, Step};

/// What a closed turn leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// Input that waits is run at once.
    Drain,
    /// Input that waits goes on waiting for a waking message.
    Stop,
}

/// A turn under way.
struct Turn {
    number: u64,
    /// Steps entered so far.
    steps: u64,
    /// Why the turn would end now.
    end: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Completed,
    MaxTokens,
}

impl From<End> for TurnEndReason {
    fn from(end: End) -> Self {
        match end {
            End::Completed => Self::Completed,
            End::MaxTokens => Self::MaxTokens,
        }
    }
}

/// A step that is proposed and may be entered.
struct Proposal {
    decision: PreStepDecision,
    prompt: Rendered,
}

impl LoopAgent {
    /// Runs one turn.
    pub(crate) async fn run_turn(self: &Arc<Self>, abort: &Abort) -> Closed {
        let mut turn = Turn { number: self.session.last_turn() + 1, steps: 0, end: None };
        if let Err(error) = self.session.append(&TurnStart { turn: turn.number }) {
            self.report(turn.number, 0, LlmFailure::new("UNKNOWN", error.to_string()));
            return Closed::Stop;
        }
        // A panic in a plugin ends this turn and nothing else.
        let ran = AssertUnwindSafe(self.run_steps(&mut turn, abort)).catch_unwind().await;
        let ended =
            ran.unwrap_or_else(|_| Err(Stop::Failed(LlmFailure::new("UNKNOWN", "a plugin panicked; see the diagnostics on stderr"))));
        let (reason, closed) = match (ended, abort.cause()) {
            (Ok(end), _) => end,
            // What fails while the turn is given up fails because of that.
            (Err(Stop::Aborted(reason)), _) | (Err(Stop::Failed(_)), Some(reason)) => (TurnEndReason::Aborted { reason }, Closed::Stop),
            (Err(Stop::Failed(error)), None) => (TurnEndReason::Error { error }, Closed::Stop),
        };
        self.close_step();
        let failure = match &reason {
            TurnEndReason::Error { error } => Some(error.clone()),
            _ => None,
        };
        let logged = self.session.append(&TurnEnd { turn: turn.number, reason });
        // Not before the log has the end, so that who hears of the failure meets a closed turn.
        if let Some(failure) = failure {
            self.report(turn.number, turn.steps, failure);
        }
        match logged {
            Ok(_) => closed,
            Err(error) => {
                self.report(turn.number, turn.steps, LlmFailure::new("UNKNOWN", error.to_string()));
                Closed::Stop
            }
        }
    }

    /// Writes the end of a step that a panic left open.
    fn close_step(&self) {
        let Some(open) = self.session.open_step() else { return };
        if let Err(error) = self.session.append(&StepEnd { turn: open.turn, step: open.step }) {
            tracing::error!(agent = %self.id(), %error, "a step could not be closed");
        }
    }

    async fn run_steps(self: &Arc<Self>, turn: &mut Turn, abort: &Abort) -> Result<(TurnEndReason, Closed), Stop> {
        let mut from = ClaimFrom::Turn;
        loop {
            abort.check()?;
            let Proposal { decision, prompt } = self.propose(turn, from, abort).await?;
            let messages = match (decision, turn.end) {
                (PreStepDecision::Reject, _) => return Ok((TurnEndReason::Blocked, Closed::Stop)),
                (PreStepDecision::Enter(messages), Some(end)) if messages.is_empty() => return Ok((end.into(), Closed::Drain)),
                (PreStepDecision::Enter(messages), None) if messages.is_empty() && turn.steps == 0 => {
                    return Ok((TurnEndReason::Completed, Closed::Stop));
                }
                (PreStepDecision::Enter(messages), _) => messages,
            };
            let step = Step { turn: turn.number, number: turn.steps + 1 };
            self.session.append(&StepStart { turn: step.turn, step: step.number })?;
            turn.steps = step.number;
            let ran = self.run_step(step, messages, &prompt, abort).await;
            self.session.append(&StepEnd { turn: step.turn, step: step.number })?;
            turn.settle(ran?);
            abort.check()?;
            if let Some(end) = turn.end
                && self.stopping(turn, abort).await?
            {
                return Ok((end.into(), Closed::Drain));
            }
            from = ClaimFrom::Step;
        }
    }

    /// Claims input, assembles the prompt and asks whether the step is entered and with what.
    async fn propose(self: &Arc<Self>, turn: &Turn, from: ClaimFrom, abort: &Abort) -> Result<Proposal, Stop> {
        let messages = self.inbox().claim(from, turn.number)?;
        if from == ClaimFrom::Turn {
            // Here whoever started the turn goes on.
            tokio::task::yield_now().await;
        }
        let context = AssembleContext { agent: Some(self.shared()), scope: Some(self.scope().id()) };
        let prompt = render(&self.services.system_prompt.assemble(context).await?)?;
        abort.check()?;
        let enter = Enter { snapshot: self.snapshot(&prompt.contexts) };
        let mut proposed = PreStep { agent: self.shared(), messages, turn: turn.number, step: turn.steps + 1, signal: abort.signal() };
        let decision = self.services.events.pre_step.waterfall(&mut proposed, &enter).await?;
        abort.check()?;
        Ok(Proposal { decision, prompt })
    }

    /// Asks before the turn ends; whoever objects has steered the agent. Yields whether it ends.
    async fn stopping(self: &Arc<Self>, turn: &Turn, abort: &Abort) -> Result<bool, Stop> {
        if !self.inbox().pending(Target::NextStep).is_empty() {
            return Ok(false);
        }
        let stopping = TurnStopping { agent: self.shared(), turn: turn.number, signal: abort.signal() };
        self.services.events.turn_stopping.serial(&stopping).await?;
        abort.check()?;
        Ok(self.inbox().pending(Target::NextStep).is_empty())
    }
}

impl Turn {
    /// Takes a step's outcome in. A ceiling once reached stays the reason; anything else gives way to the newest outcome.
    fn settle(&mut self, outcome: Outcome) {
        self.end = match (self.end, outcome) {
            (Some(End::MaxTokens), _) | (_, Outcome::MaxTokens) => Some(End::MaxTokens),
            (_, Outcome::Completed) => Some(End::Completed),
            (_, Outcome::ToolsRan) => None,
        };
    }
}
