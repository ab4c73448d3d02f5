//! The plugin.

use std::sync::{Arc, Mutex, PoisonError};

use dsh_agent::{AgentPreStep, Agents, KeepInbox, PreStep, PreStepDecision};
use dsh_agent_default_model::AgentDefaultModel;
use dsh_runtime::{Exit, Flow, Inject, MountError, Next, PluginContext, ServeSession, Usage, plugin};
use dsh_sandbox_policy::SandboxPolicy;
use dsh_session::catalogue::AbortCause;
use dsh_session::{Appended, SessionEventAppended, SessionStore};
use dsh_session_persistence::SessionPersistence;

use crate::arguments;
use crate::watch::Watch;

/// What a run needs.
#[derive(Inject)]
pub struct Inject {
    /// Makes agents.
    pub agents: Arc<Agents>,
    /// Makes their sessions durable.
    pub sessions: Arc<SessionStore>,
    /// Provider and model of the agent.
    pub default_model: Arc<AgentDefaultModel>,
    /// Knows where the log lies.
    pub persistence: Option<Arc<dyn SessionPersistence>>,
    /// Knows how the agent is confined.
    pub sandbox_policy: Option<Arc<dyn SandboxPolicy>>,
}

/// Runs one task.
pub struct Headless {
    pub(crate) cx: PluginContext,
    pub(crate) agents: Arc<Agents>,
    pub(crate) sessions: Arc<SessionStore>,
    pub(crate) default_model: Arc<AgentDefaultModel>,
    pub(crate) persistence: Option<Arc<dyn SessionPersistence>>,
    pub(crate) sandbox_policy: Option<Arc<dyn SandboxPolicy>>,
    watch: Mutex<Option<Arc<Watch>>>,
}

#[plugin(writes(
    "OUT/RUN/TASK/run.json" = "the start of a run, where `run` is given `--out`, `--run-id` and `--task-id`",
    "OUT/RUN/TASK/verdict.json" = "what came of the run",
    "OUT/RUN/TASK/run.lock" = "an empty file that carries the lock of the run's process",
))]
impl Headless {
    /// Mounts it; nothing runs yet.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        let Inject { agents, sessions, default_model, persistence, sandbox_policy } = inject;
        Ok(Self { cx: cx.clone(), agents, sessions, default_model, persistence, sandbox_policy, watch: Mutex::default() })
    }

    /// Follows the session of the task.
    #[on(SessionEventAppended)]
    fn appended(&self, appended: &Appended) {
        if let Some(watch) = self.watching() {
            watch.hear(&appended.session.header().id, &appended.event);
        }
    }

    /// Gives the run up at the border of a step when its budget is spent.
    #[on(AgentPreStep, first)]
    async fn within_budget(&self, step: &mut PreStep, next: Next<'_, AgentPreStep>) -> Flow<AgentPreStep> {
        let Some(watch) = self.watching().filter(|watch| watch.follows(step.agent.id())) else { return next.run(step).await };
        if let Some(reason) = watch.refusal() {
            // A cancellation leaves its reason in the log; a rejection alone would not.
            step.agent.cancel(AbortCause::Hook { reason }, KeepInbox::No);
            return next.decide(Ok(PreStepDecision::Reject));
        }
        tokio::select! {
            () = watch.room() => {}
            () = step.signal.cancelled() => {}
        }
        drop(watch);
        next.run(step).await
    }

    /// Runs one task.
    #[verb(name = "run", about = "Runs one task and prints the answer", usage = look_at)]
    async fn run(&self, words: Vec<String>, session: ServeSession) -> Exit {
        self.do_words(words, session).await
    }

    /// Whether the words are right, without anything mounted.
    fn look_at(words: &[String]) -> Usage {
        Usage::of(arguments::read(words))
    }
}

impl Headless {
    /// Sets who follows the events of sessions.
    pub(crate) fn watch(&self, watch: Option<Arc<Watch>>) {
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = watch;
    }

    fn watching(&self) -> Option<Arc<Watch>> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
