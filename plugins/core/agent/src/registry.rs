//! The agents that are live in this process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use dsh_message::SessionId;
use dsh_runtime::{Dispatcher, EffectStack, Inject, Invariants, MountError, PluginContext, plugin, service};

use crate::live::{AgentCreated, AgentDisposed, AgentStatusChanged};
use crate::{Agent, AgentFactory, AgentFailure, CreateAgent, ResumeAgent, invariant};

/// What the registry needs.
#[derive(Inject)]
pub struct Inject {
    /// Registry of runtime checks.
    pub invariants: Option<Arc<dyn Invariants>>,
    /// Announces agents.
    pub created: Dispatcher<AgentCreated>,
    /// Announces their end.
    pub disposed: Dispatcher<AgentDisposed>,
    /// Heard by the runtime checks.
    pub status: Dispatcher<AgentStatusChanged>,
}

struct Entry {
    agent: Arc<dyn Agent>,
    /// Whether its creation was announced, as its end will be then.
    announced: bool,
}

/// The registry of live agents.
#[service(key = "agents")]
pub struct Agents {
    live: Mutex<BTreeMap<SessionId, Entry>>,
    factory: Arc<RwLock<Option<Arc<dyn AgentFactory>>>>,
    created: Dispatcher<AgentCreated>,
    disposed: Dispatcher<AgentDisposed>,
}

/// Indexes live agents and hands their creation to whoever drives them.
#[plugin(provides(Agents), invariants("The status of an agent is announced only when it changed.",))]
impl Agents {
    /// Mounts it.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        if let Some(invariants) = &inject.invariants {
            let (status, disposed) = (inject.status.clone(), inject.disposed.clone());
            let install = Box::new(move |cx: &PluginContext| invariant::install(cx, &status, &disposed));
            invariants.register(env!("CARGO_PKG_NAME"), cx, install)?;
        }
        Ok(Self { live: Mutex::default(), factory: Arc::default(), created: inject.created, disposed: inject.disposed })
    }
}

impl Agents {
    /// Installs whoever drives agents, until `effects` unwind.
    ///
    /// # Errors
    /// When one is installed already.
    pub fn set_factory(&self, factory: Arc<dyn AgentFactory>, effects: &EffectStack) -> Result<(), MountError> {
        {
            let mut held = self.factory.write().unwrap_or_else(PoisonError::into_inner);
            if held.is_some() {
                return Err(MountError::new("another plugin drives agents already"));
            }
            *held = Some(factory);
        }
        let held = Arc::clone(&self.factory);
        effects.push_sync(move || *held.write().unwrap_or_else(PoisonError::into_inner) = None);
        Ok(())
    }

    /// Creates an agent with a new session.
    ///
    /// # Errors
    /// See [`AgentFailure`]; nothing is left behind then.
    pub async fn create(&self, request: CreateAgent) -> Result<Arc<dyn Agent>, AgentFailure> {
        self.factory()?.create(request).await
    }

    /// Takes a stored session up.
    ///
    /// # Errors
    /// See [`AgentFailure`]; nothing is left behind then.
    pub async fn resume(&self, request: ResumeAgent) -> Result<Arc<dyn Agent>, AgentFailure> {
        self.factory()?.resume(request).await
    }

    fn factory(&self) -> Result<Arc<dyn AgentFactory>, AgentFailure> {
        self.factory.read().unwrap_or_else(PoisonError::into_inner).clone().ok_or(AgentFailure::NoFactory)
    }

    /// Makes an agent live; its driver calls this, then [`Agents::announce`].
    ///
    /// # Errors
    /// When the id is taken.
    pub fn enter(&self, agent: &Arc<dyn Agent>) -> Result<(), AgentFailure> {
        let mut live = self.live();
        if live.contains_key(agent.id()) {
            return Err(AgentFailure::Registered(agent.id().clone()));
        }
        live.insert(agent.id().clone(), Entry { agent: Arc::clone(agent), announced: false });
        Ok(())
    }

    /// Announces an agent that entered.
    ///
    /// # Errors
    /// A listener's refusal; the caller takes the agent out again.
    pub fn announce(&self, agent: &Arc<dyn Agent>) -> Result<(), AgentFailure> {
        if let Some(entry) = self.live().get_mut(agent.id()) {
            entry.announced = true;
        }
        self.created.emit(agent).map_err(|source| AgentFailure::Refused { id: agent.id().clone(), source })
    }

    /// Takes an agent out and announces its end, if its creation was announced; nothing happens when it is not there.
    pub fn detach(&self, agent: &Arc<dyn Agent>) {
        let removed = {
            let mut live = self.live();
            match live.get(agent.id()) {
                Some(entry) if Arc::ptr_eq(&entry.agent, agent) => live.remove(agent.id()),
                _ => None,
            }
        };
        if removed.is_some_and(|entry| entry.announced)
            && let Err(error) = self.disposed.emit(agent)
        {
            tracing::error!(agent = %agent.id(), %error, "a runtime check failed when an agent ended");
        }
    }

    /// A live agent.
    #[must_use]
    pub fn get(&self, id: &SessionId) -> Option<Arc<dyn Agent>> {
        self.live().get(id).map(|entry| Arc::clone(&entry.agent))
    }

    /// All live agents, by id.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<dyn Agent>> {
        self.live().values().map(|entry| Arc::clone(&entry.agent)).collect()
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<SessionId, Entry>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
