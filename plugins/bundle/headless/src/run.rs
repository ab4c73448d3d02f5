//! One run from its agent to its verdict.

use std::sync::Arc;
use std::time::Duration;

use dsh_agent::{Agent, AgentFailure, KeepInbox};
use dsh_runtime::{CancellationToken, Exit};
use dsh_session::catalogue::AbortCause;

use crate::arguments::Arguments;
use crate::learned::Learned;
use crate::outcome::Outcome;
use crate::patience::unless_overdue;
use crate::plugin::Headless;
use crate::records;
use crate::report::Report;
use crate::run_folder::{Begun, RunFolder};
use crate::starting::{Start, StartError, Started, Wanted};
use crate::streams::Streams;
use crate::verdict::Verdict;
use crate::watch::{Shown, Watch};

/// How long an agent may take to stop once the process is asked to end. With the limits of what follows, the record is complete
/// within 2 s.
const STOP_LIMIT: Duration = Duration::from_secs(1);
/// How long an agent may take to stop at its deadline.
const DEADLINE_STOP_LIMIT: Duration = Duration::from_secs(10);

/// A run that may begin.
pub(crate) struct Run {
    pub(crate) arguments: Arguments,
    pub(crate) begun: Begun,
    /// When the process took the run up, on the clock of [`dsh_runtime::Clock::elapsed`].
    pub(crate) started: Duration,
    /// Whether it began in an earlier process.
    pub(crate) again: bool,
    pub(crate) folder: Option<RunFolder>,
}

impl Run {
    /// Runs it.
    pub(crate) async fn conduct(&self, headless: &Headless, streams: Streams) -> Exit {
        let shutdown = streams.shutdown().clone();
        match self.start(headless, &shutdown).await {
            Ok(Start::Ready(started)) => self.watched(headless, started, streams).await,
            Ok(Start::Over(verdict, learned)) => self.report(headless, verdict, learned).close(None, streams).await,
            Err(error) => {
                let verdict = match error {
                    StartError::Agent(AgentFailure::Cancelled(_)) if shutdown.is_cancelled() => Verdict::interrupted(),
                    error => Verdict::failed(Outcome::Environment, error.to_string()),
                };
                self.report(headless, verdict, Learned::default()).close(None, streams).await
            }
        }
    }

    async fn start(&self, headless: &Headless, signal: &CancellationToken) -> Result<Start, StartError> {
        let wanted = Wanted { workdir: self.arguments.workdir.as_deref(), preset: self.arguments.preset.as_deref() };
        match (self.again, &self.arguments.resume) {
            (true, _) => headless.start_again(&self.begun, wanted, signal).await,
            (false, Some(_)) => headless.go_on_with(&self.begun, signal).await,
            (false, None) => headless.start(&self.begun, wanted, signal).await,
        }
    }

    /// Lets the agent work while what it does is shown.
    async fn watched(&self, headless: &Headless, started: Started, mut streams: Streams) -> Exit {
        let agent = Arc::clone(&started.agent);
        let (watch, progress) = Watch::new(agent.id().clone(), streams.shown(), self.arguments.budget, started.known.clone());
        let watch = Arc::new(watch);
        if streams.shown() == Shown::Records {
            watch.show(records::session(&agent.id().0, agent.session().header().cwd.as_deref()));
        }
        headless.watch(Some(Arc::clone(&watch)));
        streams.begin(&headless.cx, progress);
        let verdict = self.work(headless, started, &watch, streams.shutdown()).await;
        headless.watch(None);
        let learned = watch.learned().clone();
        // With the last handle on the watch nothing more is shown.
        drop(watch);
        let exit = self.report(headless, verdict, learned).close(Some(&agent), streams).await;
        // Goes on when nobody waits for it any more.
        let _ = unless_overdue(headless.cx.shutdown(), STOP_LIMIT, agent.dispose()).await;
        exit
    }

    /// Gives the agent its input and waits until it is done.
    async fn work(&self, headless: &Headless, started: Started, watch: &Watch, shutdown: &CancellationToken) -> Verdict {
        let Started { agent, input, .. } = started;
        if let Err(error) = agent.followup(input) {
            return Verdict::refused(&error);
        }
        let passed = headless.cx.clock().elapsed().saturating_sub(self.started);
        tokio::select! {
            biased;
            () = agent.when_idle() => match watch.spent() {
                Some(spent) => Verdict::failed(Outcome::Budget, spent),
                None => Verdict::of(watch.learned().reason.as_ref()),
            },
            () = shutdown.cancelled() => {
                stop(agent.as_ref(), AbortCause::User, STOP_LIMIT, shutdown).await;
                Verdict::interrupted()
            }
            seconds = expiry(self.arguments.deadline, passed) => {
                let reason = format!("the deadline of {seconds} s has passed");
                stop(agent.as_ref(), AbortCause::Hook { reason: reason.clone() }, DEADLINE_STOP_LIMIT, shutdown).await;
                Verdict::failed(Outcome::Budget, reason)
            }
        }
    }

    fn report<'a>(&'a self, headless: &'a Headless, verdict: Verdict, learned: Learned) -> Report<'a> {
        Report { headless, begun: &self.begun, folder: self.folder.as_ref(), verdict, learned }
    }
}

/// Waits until the deadline, where there is one.
async fn expiry(deadline: Option<Duration>, passed: Duration) -> u64 {
    match deadline {
        Some(deadline) => {
            tokio::time::sleep(deadline.saturating_sub(passed)).await;
            deadline.as_secs()
        }
        None => std::future::pending().await,
    }
}

/// Cancels what the agent does and waits until it has stopped, with a limit.
async fn stop(agent: &dyn Agent, cause: AbortCause, limit: Duration, shutdown: &CancellationToken) {
    agent.cancel(cause, KeepInbox::No);
    let stopped = tokio::time::timeout(limit, unless_overdue(shutdown, STOP_LIMIT, agent.when_idle())).await;
    if !matches!(stopped, Ok(Some(()))) {
        tracing::warn!(session = %agent.id(), "the agent did not stop in time; its record is closed when it is read again");
    }
}
