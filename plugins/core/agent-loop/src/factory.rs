//! How agents are made and published.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use dsh_agent::{Agent, AgentFactory, AgentFailure, AgentOptions, Agents, CreateAgent, KeepInbox, ResumeAgent, SessionStart, StartSource};
use dsh_llm::Llm;
use dsh_message::SessionId;
use dsh_runtime::{BoxFuture, CancellationToken, IdSource, Preset, Presets};
use dsh_session::{NewSession, Origin as SessionOrigin, Session, SessionStore, StoreError};
use dsh_session_persistence::{Resumption, SessionPersistence};
use dsh_system_prompt::SystemPrompt;
use dsh_tools::Tools;

use crate::events::LoopEvents;
use crate::loop_agent::LoopAgent;

/// Largest integer that every JSON reader takes exactly, 2^53 - 1.
const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// What every agent of the driver uses.
pub(crate) struct Services {
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) presets: Presets,
    pub(crate) agents: Arc<Agents>,
    pub(crate) sessions: Arc<SessionStore>,
    pub(crate) llm: Arc<Llm>,
    pub(crate) tools: Arc<Tools>,
    pub(crate) system_prompt: Arc<SystemPrompt>,
    pub(crate) persistence: Option<Arc<dyn SessionPersistence>>,
    pub(crate) events: LoopEvents,
    pub(crate) max_parallel_tool_calls: usize,
}

/// Makes agents and ends all of them when the binary stops working.
pub(crate) struct Factory {
    services: Arc<Services>,
    closing: CancellationToken,
    /// Agents that live or are being made; the registry keeps those that live.
    made: Mutex<Vec<Weak<LoopAgent>>>,
}

/// What an agent is made of.
struct Origin {
    session: Arc<Session>,
    options: AgentOptions,
    preset: Option<Preset>,
    source: StartSource,
    signal: CancellationToken,
}

impl Factory {
    pub(crate) fn new(services: Services) -> Self {
        Self { services: Arc::new(services), closing: CancellationToken::new(), made: Mutex::default() }
    }

    pub(crate) fn services(&self) -> &Services {
        &self.services
    }

    /// Refuses new agents and ends those that live, all at once.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        let made = std::mem::take(&mut *self.made.lock().unwrap_or_else(PoisonError::into_inner));
        let live = made.iter().filter_map(Weak::upgrade);
        futures_util::future::join_all(live.map(|agent| agent.end(KeepInbox::No))).await;
    }

    /// Makes an agent and publishes it. Where that fails, what was published ends like an agent does, but the input that waits in
    /// a stored session goes on waiting.
    async fn publish(&self, origin: Origin) -> Result<Arc<dyn Agent>, AgentFailure> {
        let Origin { session, options, preset, source, signal } = origin;
        let id = session.header().id.clone();
        self.check_wanted(&id, &signal)?;
        if options.max_tokens.is_some_and(|most| most == 0 || most > MAX_SAFE_INTEGER) {
            return Err(AgentFailure::MaxTokens(id));
        }
        let made = LoopAgent::new(Arc::clone(&self.services), session, options, preset);
        let agent = made.map_err(|source| AgentFailure::Inbox { id, source })?;
        self.track(&agent);
        match self.announce(&agent, source, &signal) {
            Ok(()) => Ok(agent.shared()),
            Err(error) => {
                agent.end(KeepInbox::Yes).await;
                Err(error)
            }
        }
    }

    /// Publishes an agent. Listeners may have asked for the end meanwhile, so that is looked at after each step.
    fn announce(&self, agent: &Arc<LoopAgent>, source: StartSource, signal: &CancellationToken) -> Result<(), AgentFailure> {
        let Services { sessions, agents, events, .. } = &*self.services;
        let (id, shared) = (agent.id(), agent.shared());
        // Looked at first, because a session that entered could not leave again unheard.
        if agents.get(id).is_some() && sessions.get(id).is_none() {
            return Err(AgentFailure::Registered(id.clone()));
        }
        sessions.enter(&agent.session)?;
        agents.enter(&shared)?;
        sessions.announce(&agent.session)?;
        self.check_wanted(id, signal)?;
        agents.announce(&shared)?;
        self.check_wanted(id, signal)?;
        if let Err(error) = events.session_start.emit(&SessionStart { agent: shared, source }) {
            tracing::error!(agent = %id, %error, "a runtime check failed when an agent started");
        }
        self.check_wanted(id, signal)
    }

    /// The preset of a name, mounted when nobody selected it before.
    async fn preset(&self, id: &SessionId, name: Option<&str>, signal: &CancellationToken) -> Result<Option<Preset>, AgentFailure> {
        let Some(name) = name else { return Ok(None) };
        let selected = tokio::select! {
            biased;
            () = self.closing.cancelled() => return Err(AgentFailure::Cancelled(id.clone())),
            () = signal.cancelled() => return Err(AgentFailure::Cancelled(id.clone())),
            selected = self.services.presets.select(name) => selected,
        };
        selected.map(Some).map_err(|source| AgentFailure::Preset { id: id.clone(), source })
    }

    /// The name of the preset that a new agent joins: of a delegated one its parent's, else what is asked for.
    fn preset_of(&self, id: &SessionId, session: &NewSession) -> Result<Option<String>, AgentFailure> {
        let asked = session.agent_preset.clone();
        let parent = session.parent_session.as_ref().filter(|_| session.origin == Some(SessionOrigin::Subagent));
        let Some(parent) = parent.and_then(|parent| self.services.agents.get(parent)) else { return Ok(asked) };
        let parent = parent.scope().preset().map(|preset| preset.name().to_owned());
        match asked {
            Some(asked) if parent.as_ref() != Some(&asked) => Err(AgentFailure::OtherPreset { id: id.clone(), asked, parent }),
            _ => Ok(parent),
        }
    }

    fn check_wanted(&self, id: &SessionId, signal: &CancellationToken) -> Result<(), AgentFailure> {
        if self.closing.is_cancelled() || signal.is_cancelled() { Err(AgentFailure::Cancelled(id.clone())) } else { Ok(()) }
    }

    fn track(&self, agent: &Arc<LoopAgent>) {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.retain(|agent| agent.strong_count() > 0);
        made.push(Arc::downgrade(agent));
    }
}

impl AgentFactory for Factory {
    fn create(&self, request: CreateAgent) -> BoxFuture<'_, Result<Arc<dyn Agent>, AgentFailure>> {
        Box::pin(async move {
            let CreateAgent { session_id, mut session, seed, options, signal } = request;
            session.agent_preset = self.preset_of(&session_id, &session)?;
            let preset = self.preset(&session_id, session.agent_preset.as_deref(), &signal).await?;
            let session = self.services.sessions.prepare(session_id, session, seed)?;
            self.publish(Origin { session, options, preset, source: StartSource::Startup, signal }).await
        })
    }

    fn resume(&self, request: ResumeAgent) -> BoxFuture<'_, Result<Arc<dyn Agent>, AgentFailure>> {
        Box::pin(async move {
            let ResumeAgent { session_id, options, signal } = request;
            let Services { persistence, agents, sessions, .. } = &*self.services;
            let Some(persistence) = persistence else { return Err(AgentFailure::NoPersistence(session_id)) };
            if agents.get(&session_id).is_some() {
                return Err(AgentFailure::Registered(session_id));
            }
            if sessions.get(&session_id).is_some() {
                return Err(StoreError::Exists(session_id).into());
            }
            let resumed = tokio::select! {
                biased;
                () = self.closing.cancelled() => return Err(AgentFailure::Cancelled(session_id)),
                () = signal.cancelled() => return Err(AgentFailure::Cancelled(session_id)),
                resumed = persistence.resume(session_id.clone(), sessions.folding()) => resumed.map_err(|error| AgentFailure::Load { message: error.to_string() })?,
            };
            // The claim keeps other writers away until the session is published.
            let Resumption { header, seed, claim: _claim } = resumed;
            let preset = self.preset(&session_id, header.agent_preset.as_deref(), &signal).await?;
            let session = sessions.resume(header, seed)?;
            self.publish(Origin { session, options, preset, source: StartSource::Resume, signal }).await
        })
    }
}
