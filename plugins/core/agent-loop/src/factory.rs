//! How agents are made and published.

use std::sync::{Arc, Mutex, PoisonError};

use dsh_agent::{Agent, AgentFactory, AgentFailure, Agents, CreateAgent, ResumeAgent, SessionStart, StartSource};
use dsh_llm::Llm;
use dsh_runtime::{BoxFuture, CancellationToken, IdSource};
use dsh_session::{Session, SessionEvent, SessionStore};
use dsh_session_persistence::SessionPersistence;
use dsh_system_prompt::SystemPrompt;
use dsh_tools::Tools;

use crate::events::LoopEvents;
use crate::loop_agent::LoopAgent;

/// What every agent of the driver uses.
pub(crate) struct Services {
    pub(crate) ids: Arc<dyn IdSource>,
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
    /// Live agents and those being made.
    made: Mutex<Vec<Arc<LoopAgent>>>,
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
        let made: Vec<_> = self.made.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
        futures_util::future::join_all(made.iter().map(|agent| agent.dispose())).await;
    }

    fn publish(
        &self,
        session: Arc<Session>,
        options: dsh_agent::AgentOptions,
        stored: &[SessionEvent],
        source: StartSource,
        signal: &CancellationToken,
    ) -> Result<Arc<dyn Agent>, AgentFailure> {
        let id = session.header().id.clone();
        if self.closing.is_cancelled() || signal.is_cancelled() {
            return Err(AgentFailure::Cancelled(id));
        }
        let agent = LoopAgent::new(Arc::clone(&self.services), Arc::clone(&session), options);
        let own = stored.iter().filter(|event| event.seq >= session.header().seed_length.unwrap_or(0));
        for event in own {
            agent.inbox().replay(event).map_err(|source| AgentFailure::Inbox { id: id.clone(), source })?;
        }
        let Services { sessions, agents, events, .. } = &*self.services;
        let shared: Arc<dyn Agent> = Arc::<LoopAgent>::clone(&agent);
        sessions.enter(&session)?;
        if let Err(error) = agents.enter(&shared) {
            sessions.detach(&session);
            return Err(error);
        }
        if let Err(error) = sessions.announce(&session).map_err(AgentFailure::from).and_then(|()| agents.announce(&shared)) {
            agents.detach(&shared);
            sessions.detach(&session);
            return Err(error);
        }
        let started = SessionStart { agent: Arc::clone(&shared), source };
        if let Err(error) = events.session_start.emit(&started) {
            tracing::error!(agent = %id, %error, "a runtime check failed when an agent started");
        }
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.retain(|agent| !agent.is_disposed());
        made.push(agent);
        Ok(shared)
    }
}

impl AgentFactory for Factory {
    fn create(&self, request: CreateAgent) -> BoxFuture<'_, Result<Arc<dyn Agent>, AgentFailure>> {
        Box::pin(async move {
            let CreateAgent { session_id, session, seed, options, signal } = request;
            let stored = seed.clone().unwrap_or_default();
            let session = self.services.sessions.prepare(session_id, session, seed)?;
            self.publish(session, options, &stored, StartSource::Startup, &signal)
        })
    }

    fn resume(&self, request: ResumeAgent) -> BoxFuture<'_, Result<Arc<dyn Agent>, AgentFailure>> {
        Box::pin(async move {
            let ResumeAgent { session_id, options, signal } = request;
            let Some(persistence) = &self.services.persistence else { return Err(AgentFailure::NoPersistence(session_id)) };
            if self.services.sessions.get(&session_id).is_some() {
                return Err(AgentFailure::Registered(session_id));
            }
            let load = persistence.load(session_id.clone());
            let stored = tokio::select! {
                loaded = load => loaded.map_err(|error| AgentFailure::Load { message: error.to_string() })?,
                () = signal.cancelled() => return Err(AgentFailure::Cancelled(session_id)),
                () = self.closing.cancelled() => return Err(AgentFailure::Cancelled(session_id)),
            };
            let session = self.services.sessions.restore(stored.header, Some(stored.events.clone()))?;
            self.publish(session, options, &stored.events, StartSource::Resume, &signal)
        })
    }
}
