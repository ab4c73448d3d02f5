//! The plugin: it offers itself to the registry of agents as their factory.

use std::sync::Arc;

use dsh_agent::{
    AgentError, AgentInboxClaimed, AgentInboxDiscarded, AgentInboxInserted, AgentPreStep, AgentRequest, AgentRequestError,
    AgentSessionStart, AgentStatusChanged, AgentTurnStopping, Agents, InboxFold,
};
use dsh_llm::{Llm, LlmStream};
use dsh_runtime::description::{PromptKind, PromptPart};
use dsh_runtime::{Dispatcher, Inject, Invariants, MountError, PluginContext, plugin};
use dsh_session::SessionStore;
use dsh_session_persistence::SessionPersistence;
use dsh_system_prompt::SystemPrompt;
use dsh_tools::Tools;

use crate::config::Config;
use crate::events::LoopEvents;
use crate::factory::{Factory, Services};
use crate::invariant;
use crate::runtime_context::SnapshotFold;

/// What the driver needs.
#[derive(Inject)]
pub struct Inject {
    /// Where agents are indexed.
    pub agents: Arc<Agents>,
    /// Where sessions live.
    pub sessions: Arc<SessionStore>,
    /// Models.
    pub llm: Arc<Llm>,
    /// Tools.
    pub tools: Arc<Tools>,
    /// Prompts.
    pub system_prompt: Arc<SystemPrompt>,
    /// Stored sessions; without them nothing can be resumed.
    pub persistence: Option<Arc<dyn SessionPersistence>>,
    /// Registry of runtime checks.
    pub invariants: Option<Arc<dyn Invariants>>,
    /// Announces input.
    pub inserted: Dispatcher<AgentInboxInserted>,
    /// Announces claimed input.
    pub claimed: Dispatcher<AgentInboxClaimed>,
    /// Announces dropped input.
    pub discarded: Dispatcher<AgentInboxDiscarded>,
    /// Announces that agents begin and end to work.
    pub status: Dispatcher<AgentStatusChanged>,
    /// Announces that agents took up their session.
    pub session_start: Dispatcher<AgentSessionStart>,
    /// Proposes steps.
    pub pre_step: Dispatcher<AgentPreStep>,
    /// Composes requests.
    pub request: Dispatcher<AgentRequest>,
    /// Asks what follows a failed call.
    pub request_error: Dispatcher<AgentRequestError>,
    /// Asks before a turn ends.
    pub turn_stopping: Dispatcher<AgentTurnStopping>,
    /// Announces failures.
    pub error: Dispatcher<AgentError>,
    /// Heard by the runtime check of requests.
    pub stream: Dispatcher<LlmStream>,
}

/// Drives agents.
pub struct AgentLoop {}

/// Creates agents, runs them and ends them in order.
#[plugin(
    takes(Agents = "driver", SystemPrompt = "variables of agents"),
    invariants("What a request of an agent sends is what its log says: messages, model, limits, system prompt and tools.")
)]
impl AgentLoop {
    /// Mounts it.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        if let Some(invariants) = &inject.invariants {
            let (sessions, stream) = (Arc::clone(&inject.sessions), inject.stream.clone());
            let install = Box::new(move |cx: &PluginContext| invariant::install(cx, &sessions, &stream));
            invariants.register(env!("CARGO_PKG_NAME"), cx, install)?;
        }
        inject.sessions.fold_seeds(InboxFold::new, cx.effects());
        inject.sessions.fold_seeds(|_| SnapshotFold::default(), cx.effects());
        let prompt = &inject.system_prompt;
        let option = |value: fn(&dsh_agent::AgentOptions) -> Option<String>| {
            move |context: &dsh_system_prompt::AssembleContext| context.agent.as_ref().and_then(|agent| value(agent.options()))
        };
        prompt.variable(cx.scope(), "provider", option(|options| options.provider.clone()), cx.effects()).map_err(MountError::new)?;
        prompt.variable(cx.scope(), "model", option(|options| options.model.clone()), cx.effects()).map_err(MountError::new)?;
        let cwd =
            |context: &dsh_system_prompt::AssembleContext| context.agent.as_ref().and_then(|agent| agent.session().header().cwd.clone());
        prompt.variable(cx.scope(), "cwd", cwd, cx.effects()).map_err(MountError::new)?;

        let events = LoopEvents::of(&inject);
        let services = Services {
            ids: Arc::clone(cx.ids()),
            presets: cx.presets().clone(),
            agents: inject.agents,
            sessions: inject.sessions,
            llm: inject.llm,
            tools: inject.tools,
            system_prompt: inject.system_prompt,
            persistence: inject.persistence,
            events,
            max_parallel_tool_calls: config.max_parallel_tool_calls,
        };
        let factory = Arc::new(Factory::new(services));
        factory.services().agents.set_factory(Arc::clone(&factory) as _, cx.effects())?;
        cx.quiesce().push(move || async move { factory.close().await });
        Ok(Self {})
    }

    /// The variables that it gives texts of the prompt.
    #[prompt]
    pub fn describe(_config: &Config) -> Vec<PromptPart> {
        let variable = |name| PromptPart::open(PromptKind::Variable, name, None, "each agent has its own");
        ["provider", "model", "cwd"].map(variable).into()
    }
}
