//! The plugin: what it needs, and what it tells clients by itself.

use std::sync::{Arc, Mutex};

use dsh_agent::{AgentStatusChanged, Agents, StatusChange};
use dsh_llm::Llm;
use dsh_message::SessionId;
use dsh_runtime::{CancellationToken, Exit, Inject, MountError, PluginContext, ServeSession, plugin};
use dsh_session::{Appended, Created, SessionCreated, SessionEvent, SessionEventAppended};
use dsh_session_persistence::SessionPersistence;
use serde::Serialize;

use crate::config::Config;
use crate::frame;
use crate::initialize::Defaults;
use crate::outbox::Outbox;
use crate::slots::Slots;

/// What the server needs.
#[derive(Inject)]
pub struct Inject {
    /// Makes and finds agents.
    pub agents: Arc<Agents>,
    /// Knows which providers have an adapter.
    pub llm: Arc<Llm>,
    /// Knows which sessions are stored.
    pub persistence: Option<Arc<dyn SessionPersistence>>,
}

/// Serves SDK clients.
pub struct SdkJsonrpcServer {
    pub(crate) cx: PluginContext,
    pub(crate) agents: Arc<Agents>,
    pub(crate) llm: Arc<Llm>,
    pub(crate) persistence: Option<Arc<dyn SessionPersistence>>,
    pub(crate) defaults: Mutex<Option<Defaults>>,
    pub(crate) slots: Slots,
    pub(crate) outbox: Arc<Outbox>,
    /// Cancelled when serving ends: nothing is waited for any more.
    pub(crate) closing: CancellationToken,
}

#[plugin()]
impl SdkJsonrpcServer {
    /// Mounts it; nobody is served yet.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        if config.max_tokens_as_success {
            return Err(MountError::new("`maxTokensAsSuccess: true` concerns child agents, which this version does not run: leave it out"));
        }
        let Inject { agents, llm, persistence } = inject;
        Ok(Self {
            cx: cx.clone(),
            agents,
            llm,
            persistence,
            defaults: Mutex::default(),
            slots: Slots::default(),
            outbox: Arc::new(Outbox::new()),
            closing: CancellationToken::new(),
        })
    }

    /// Tells of every event of every session.
    #[on(SessionEventAppended)]
    fn appended(&self, appended: &Appended) {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Params<'a> {
            session_id: &'a SessionId,
            event: &'a SessionEvent,
        }
        let params = Params { session_id: &appended.session.header().id, event: &appended.event };
        self.outbox.notify(|| frame::notification("session.event", &params));
    }

    /// Tells whether agents work.
    #[on(AgentStatusChanged)]
    fn status(&self, change: &StatusChange) {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Params<'a> {
            session_id: &'a SessionId,
            status: &'static str,
        }
        let params = Params { session_id: change.agent.id(), status: change.status.as_str() };
        self.outbox.notify(|| frame::notification("session.status", &params));
    }

    /// Tells of sessions that have a parent.
    #[on(SessionCreated)]
    fn created(&self, created: &Created) {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Params<'a> {
            parent_session_id: &'a SessionId,
            child_session_id: &'a SessionId,
        }
        let header = created.session.header();
        if let Some(parent_session_id) = &header.parent_session {
            let params = Params { parent_session_id, child_session_id: &header.id };
            self.outbox.notify(|| frame::notification("subagent.started", &params));
        }
    }

    /// Serves one client until it asks for the end, input ends or the process is asked to end.
    #[serve]
    async fn serve(self: &Arc<Self>, session: ServeSession) -> Exit {
        self.run(session).await
    }
}
