//! An agent of this driver.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use dsh_agent::{Agent, AgentOptions, AgentStatus, Inbox, InboxFailure, KeepInbox, StatusChange, Target, Wake};
use dsh_message::{Message, SessionId};
use dsh_runtime::{BoxFuture, Scope};
use dsh_session::Session;
use dsh_session::catalogue::AbortCause;
use tokio::sync::{OnceCell, watch};

use crate::abort::Abort;
use crate::factory::Services;
use crate::phase::{Delivery, Phase};

/// An agent around one session.
pub(crate) struct LoopAgent {
    pub(crate) services: Arc<Services>,
    pub(crate) session: Arc<Session>,
    options: AgentOptions,
    scope: Scope,
    inbox: Inbox,
    me: Weak<Self>,
    phase: Mutex<Phase>,
    /// Whether no driver runs; waited for by [`Agent::when_idle`].
    idle: watch::Sender<bool>,
    disposed: OnceCell<()>,
    /// Whether this instance has sent a request: the first one logs its header in any case.
    pub(crate) requested: Mutex<bool>,
}

impl LoopAgent {
    pub(crate) fn new(services: Arc<Services>, session: Arc<Session>, options: AgentOptions) -> Arc<Self> {
        let scope = Scope::open(&session.header().id.0);
        session.bind_scope(scope.id());
        let inbox = Inbox::new(Arc::clone(&session), services.events.inbox.clone());
        let agent = Arc::new_cyclic(|me: &Weak<Self>| Self {
            services,
            session,
            options,
            scope,
            inbox,
            me: Weak::clone(me),
            phase: Mutex::new(Phase::Idle),
            idle: watch::Sender::new(true),
            disposed: OnceCell::new(),
            requested: Mutex::new(false),
        });
        let owner: Weak<dyn Agent> = agent.me.clone();
        agent.inbox.bind(owner);
        agent
    }

    /// This agent as everybody sees it. It is called by methods of a living agent, so the pointer upgrades.
    pub(crate) fn shared(&self) -> Option<Arc<dyn Agent>> {
        self.me.upgrade().map(|agent| agent as Arc<dyn Agent>)
    }

    pub(crate) fn is_disposed(&self) -> bool {
        self.disposed.initialized()
    }

    pub(crate) fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a driver unless one runs.
    fn start(&self) {
        let Some(me) = self.me.upgrade() else { return };
        let abort = Abort::default();
        {
            let mut phase = self.phase();
            if !matches!(*phase, Phase::Idle) {
                return;
            }
            *phase = Phase::Running { abort: abort.clone(), wake_latched: false };
            self.idle.send_replace(false);
        }
        self.announce(AgentStatus::Running);
        tokio::spawn(me.drive(abort));
    }

    /// Announces that the activity ended, after the phase became idle, and starts the next one where a message asked for it.
    pub(crate) fn settle(&self, restart: bool) {
        self.announce(AgentStatus::Idle);
        if restart {
            self.start();
        }
        if matches!(*self.phase(), Phase::Idle) {
            self.idle.send_replace(true);
        }
    }

    fn announce(&self, status: AgentStatus) {
        let Some(agent) = self.shared() else { return };
        if let Err(error) = self.services.events.status.emit(&StatusChange { agent, status }) {
            tracing::error!(agent = %self.id(), %error, "a runtime check failed on a change of status");
        }
    }

    fn latch(&self) {
        if let Phase::Running { wake_latched, .. } = &mut *self.phase() {
            *wake_latched = true;
            return;
        }
        // The activity ended while the message was put in.
        self.start();
    }

    async fn end(&self) {
        self.cancel(AbortCause::Disposed, KeepInbox::No);
        self.when_idle().await;
        *self.phase() = Phase::Disposed;
        self.scope.effects().unwind().await;
        if let Some(agent) = self.shared() {
            self.services.agents.detach(&agent);
        }
        self.services.sessions.detach(&self.session);
    }
}

impl Agent for LoopAgent {
    fn id(&self) -> &SessionId {
        &self.session.header().id
    }

    fn options(&self) -> &AgentOptions {
        &self.options
    }

    fn session(&self) -> &Arc<Session> {
        &self.session
    }

    fn scope(&self) -> &Scope {
        &self.scope
    }

    fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    fn status(&self) -> AgentStatus {
        self.phase().status()
    }

    fn send(&self, message: Arc<Message>, target: Target, wake: Wake) -> Result<(), InboxFailure> {
        let (target, delivery) = self.phase().receive(target, wake);
        self.inbox.append(target, message)?;
        match delivery {
            // A driver that ended meanwhile did not find the message, so both start one where none runs.
            Delivery::Start | Delivery::Found => self.start(),
            Delivery::Latch => self.latch(),
            Delivery::Park => {}
        }
        Ok(())
    }

    fn cancel(&self, cause: AbortCause, keep: KeepInbox) {
        if keep == KeepInbox::No
            && let Err(error) = self.inbox.clear()
        {
            tracing::error!(agent = %self.id(), %error, "pending input could not be dropped");
        }
        if let Phase::Running { abort, wake_latched } = &mut *self.phase() {
            if keep == KeepInbox::No {
                *wake_latched = false;
            }
            abort.trigger(cause);
        }
    }

    fn when_idle(&self) -> BoxFuture<'_, ()> {
        let mut idle = self.idle.subscribe();
        Box::pin(async move {
            // The sender lives in this agent, so the wait cannot fail.
            let _ = idle.wait_for(|idle| *idle).await;
        })
    }

    fn dispose(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.disposed.get_or_init(|| self.end()).await;
        })
    }
}
