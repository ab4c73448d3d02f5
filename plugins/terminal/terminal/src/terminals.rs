//! The registry of terminal sessions.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_agent::{Agent, Agents};
use dsh_runtime::{CancellationToken, Inject, MountError, PluginContext, plugin, service};
use dsh_subprocess::{ProcessId, Signal};
use futures_util::future::join_all;

use crate::attached::Turn;
use crate::registry::{OpenSession, Record, Registry};
use crate::{
    AttachedTerminal, BackendRequest, Dialogue, Page, SendOutcome, SendRequest, SessionEntry, TerminalBackend, TerminalError, TerminalId,
};

/// What the registry may use.
#[derive(Inject)]
pub struct Inject {
    /// Tells whether an agent is still live.
    pub agents: Option<Arc<Agents>>,
}

/// A session that an agent asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRequest {
    /// Type of the backend.
    pub backend: String,
    /// A name, unique among the agent's sessions.
    pub name: Option<String>,
    /// Working folder; the backend's choice when absent.
    pub cwd: Option<PathBuf>,
    /// Who talks to it.
    pub dialogue: Dialogue,
}

/// A session that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedTerminal {
    /// Its id.
    pub id: TerminalId,
    /// What it printed until it was ready.
    pub startup: String,
}

/// What closing a session found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// It was closed.
    Now,
    /// Somebody else is closing it.
    AlreadyClosing,
}

/// The terminal sessions of all agents, by id. A session belongs to the agent that opened it and ends with it.
#[service(key = "terminals")]
pub struct Terminals {
    agents: Option<Arc<Agents>>,
    registry: Arc<Mutex<Registry>>,
}

/// Keeps terminal sessions for agents.
#[plugin(provides(Terminals))]
impl Terminals {
    /// Mounts an empty registry; tearing the row down closes all sessions.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        let registry = Arc::new(Mutex::new(Registry::default()));
        let held = Arc::clone(&registry);
        cx.effects().push(move || async move {
            lock(&held).disposing = true;
            close_all(&held, |_| true).await;
        });
        Ok(Self { agents: inject.agents, registry })
    }
}

impl Terminals {
    /// Offers sessions of a type, until the offering row is torn down; its sessions are closed then.
    ///
    /// # Errors
    /// When the type is taken.
    pub fn register_backend(&self, cx: &PluginContext, name: &str, backend: Arc<dyn TerminalBackend>) -> Result<(), TerminalError> {
        {
            let mut registry = lock(&self.registry);
            if registry.backends.contains_key(name) {
                return Err(TerminalError::DuplicateBackend(name.to_owned()));
            }
            registry.backends.insert(name.to_owned(), backend);
        }
        let (held, name) = (Arc::clone(&self.registry), name.to_owned());
        cx.effects().push(move || async move {
            lock(&held).backends.remove(&name);
            close_all(&held, |record| record.backend == name).await;
        });
        Ok(())
    }

    /// Opens a session for an agent.
    ///
    /// # Errors
    /// When the type is unknown, the name is taken, the agent has ended, or the backend fails.
    pub async fn open(&self, agent: &Arc<dyn Agent>, request: OpenRequest) -> Result<OpenedTerminal, TerminalError> {
        let owner = agent.scope().id();
        if !self.is_live(agent) {
            return Err(TerminalError::OwnerNotLive);
        }
        let (id, backend) = lock(&self.registry).reserve(owner, request.name, &request.backend)?;
        self.close_with(agent);
        // Taken back when the backend fails or this future is dropped.
        let mut reservation = Reservation { registry: Arc::clone(&self.registry), id: Some(id) };
        let request = BackendRequest { id, agent: Arc::clone(agent), cwd: request.cwd, dialogue: request.dialogue };
        let session = backend.open(request).await?;
        let startup = session.startup();
        let refused = {
            let mut registry = lock(&self.registry);
            let disposing = registry.disposing;
            match registry.sessions.get_mut(&id) {
                Some(record) => {
                    record.open = Some(OpenSession { session: Arc::clone(&session), busy: Arc::default() });
                    None
                }
                None if disposing => Some(TerminalError::ServiceDisposing),
                // The agent or the backend ended while the session was opened.
                None => Some(TerminalError::OwnerNotLive),
            }
        };
        match refused {
            None => {
                reservation.id = None;
                Ok(OpenedTerminal { id, startup })
            }
            Some(error) => {
                session.close().await?;
                Err(error)
            }
        }
    }

    /// Types text into an agent's session and waits.
    ///
    /// # Errors
    /// When the session is not the agent's or is busy, or the send fails.
    pub async fn send(
        &self,
        agent: &Arc<dyn Agent>,
        id: TerminalId,
        request: SendRequest,
        cancel: CancellationToken,
    ) -> Result<SendOutcome, TerminalError> {
        let (open, _turn) = self.take(agent, id)?;
        open.session.send(request, cancel).await
    }

    /// Takes the terminal of an agent's session, exclusively, until the value is dropped.
    ///
    /// # Errors
    /// When the session is not the agent's or is busy.
    pub fn attach(&self, agent: &Arc<dyn Agent>, id: TerminalId) -> Result<AttachedTerminal, TerminalError> {
        let (open, turn) = self.take(agent, id)?;
        Ok(AttachedTerminal::new(open.session.attach(), turn))
    }

    /// Reads what an agent's session keeps: `count` lines that end `offset` lines before the newest.
    ///
    /// # Errors
    /// When the session is not the agent's.
    pub fn read(&self, agent: &Arc<dyn Agent>, id: TerminalId, offset: u64, count: u64) -> Result<Page, TerminalError> {
        let open = self.owned(agent, id)?;
        Ok(open.session.read(offset, count))
    }

    /// Signals the foreground of an agent's session and says which group it was.
    ///
    /// # Errors
    /// When the session is not the agent's, has no foreground, or refuses the signal.
    pub fn signal(&self, agent: &Arc<dyn Agent>, id: TerminalId, signal: Signal) -> Result<ProcessId, TerminalError> {
        self.owned(agent, id)?.session.signal(signal)
    }

    /// Closes an agent's session with all its processes.
    ///
    /// # Errors
    /// When the session is not the agent's, or a process is left; the session is off the record in any case.
    pub async fn close(&self, agent: &Arc<dyn Agent>, id: TerminalId) -> Result<Closed, TerminalError> {
        let open = {
            let mut registry = lock(&self.registry);
            let (record, open) = registry.owned(agent.scope().id(), id)?;
            if std::mem::replace(&mut record.closing, true) {
                return Ok(Closed::AlreadyClosing);
            }
            open
        };
        let closed = open.session.close().await;
        lock(&self.registry).sessions.remove(&id);
        closed.map(|()| Closed::Now)
    }

    /// An agent's sessions in the order in which they were opened.
    #[must_use]
    pub fn list(&self, agent: &Arc<dyn Agent>) -> Vec<SessionEntry> {
        let owner = agent.scope().id();
        let entry = |(id, record): (&TerminalId, &Record)| {
            let open = record.open.as_ref().filter(|_| record.owner == owner)?;
            let (status, process) = (open.session.status(), open.session.process());
            Some(SessionEntry { id: *id, name: record.name.clone(), backend: record.backend.clone(), status, process })
        };
        lock(&self.registry).sessions.iter().filter_map(entry).collect()
    }

    /// Whether an agent has sessions, also ones that are being opened. Its sandbox mode stays as it is while it has.
    #[must_use]
    pub fn has_sessions(&self, agent: &Arc<dyn Agent>) -> bool {
        let owner = agent.scope().id();
        lock(&self.registry).sessions.values().any(|record| record.owner == owner)
    }

    fn is_live(&self, agent: &Arc<dyn Agent>) -> bool {
        let known = |agents: &Arc<Agents>| agents.get(agent.id()).is_some_and(|live| live.scope().id() == agent.scope().id());
        self.agents.as_ref().is_none_or(known)
    }

    /// Has the agent's sessions closed when it ends.
    fn close_with(&self, agent: &Arc<dyn Agent>) {
        let owner = agent.scope().id();
        if lock(&self.registry).owners.insert(owner) {
            let held = Arc::clone(&self.registry);
            agent.scope().effects().push(move || async move {
                lock(&held).owners.remove(&owner);
                close_all(&held, |record| record.owner == owner).await;
            });
        }
    }

    fn owned(&self, agent: &Arc<dyn Agent>, id: TerminalId) -> Result<OpenSession, TerminalError> {
        lock(&self.registry).owned(agent.scope().id(), id).map(|(_, open)| open)
    }

    fn take(&self, agent: &Arc<dyn Agent>, id: TerminalId) -> Result<(OpenSession, Turn), TerminalError> {
        let open = self.owned(agent, id)?;
        let turn = Turn::take(&open.busy).ok_or(TerminalError::SendActive(id))?;
        Ok((open, turn))
    }
}

/// A session that is being opened; it is taken off the record unless its id is taken out.
struct Reservation {
    registry: Arc<Mutex<Registry>>,
    id: Option<TerminalId>,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            lock(&self.registry).sessions.remove(id);
        }
    }
}

/// Takes sessions off the record and closes them, all at the same time. One that is being opened finds itself off the record.
async fn close_all(registry: &Mutex<Registry>, which: impl Fn(&Record) -> bool) {
    let taken: Vec<(TerminalId, Record)> = {
        let mut registry = lock(registry);
        let ids: Vec<TerminalId> = registry.sessions.iter().filter(|(_, record)| which(record)).map(|(id, _)| *id).collect();
        ids.into_iter().filter_map(|id| Some((id, registry.sessions.remove(&id)?))).collect()
    };
    let close = |(id, record): (TerminalId, Record)| async move {
        if let Some(open) = record.open
            && let Err(error) = open.session.close().await
        {
            tracing::error!(%id, %error, "a terminal session was not closed");
        }
    };
    join_all(taken.into_iter().map(close)).await;
}

fn lock(registry: &Mutex<Registry>) -> MutexGuard<'_, Registry> {
    registry.lock().unwrap_or_else(PoisonError::into_inner)
}
