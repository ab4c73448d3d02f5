//! An agent of this driver.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use dsh_agent::{Agent, AgentOptions, AgentStatus, Inbox, InboxFailure, KeepInbox, Target, Wake};
use dsh_message::{Message, SessionId};
use dsh_runtime::{BoxFuture, Preset, Scope};
use dsh_session::Session;
use dsh_session::catalogue::AbortCause;
use tokio::sync::watch;

use crate::ending::Ending;
use crate::factory::Services;
use crate::phase::{Delivery, Phase};
use crate::runtime_context::SnapshotFold;

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
    /// Set when the end is asked for.
    is_ending: AtomicBool,
    pub(crate) ending: OnceLock<Ending>,
    /// Whether this instance has logged a request header: the first one is logged in any case.
    pub(crate) requested: AtomicBool,
    /// Whether the log ever held a snapshot of the runtime context, on the model-visible list or not.
    pub(crate) had_snapshot: AtomicBool,
}

impl LoopAgent {
    /// An agent that continues the log that its session begins with, in the preset that it joined.
    ///
    /// # Errors
    /// When the changes of the inbox that are on record do not fit each other.
    pub(crate) fn new(
        services: Arc<Services>,
        session: Arc<Session>,
        options: AgentOptions,
        preset: Option<Preset>,
    ) -> Result<Arc<Self>, InboxFailure> {
        let scope = Scope::open_in(preset, &session.header().id.0);
        session.bind_scope(scope.id());
        let inbox = Inbox::new(Arc::clone(&session), services.events.inbox.clone());
        let stored = session.seed();
        if let Some(fold) = stored.get() {
            inbox.restore(fold)?;
        }
        let had_snapshot = AtomicBool::new(stored.get().is_some_and(|SnapshotFold { seen }| *seen));
        let agent = Arc::new_cyclic(|me: &Weak<Self>| Self {
            services,
            session,
            options,
            scope,
            inbox,
            me: Weak::clone(me),
            phase: Mutex::new(Phase::Idle),
            idle: watch::Sender::new(true),
            is_ending: AtomicBool::new(false),
            ending: OnceLock::new(),
            requested: AtomicBool::new(false),
            had_snapshot,
        });
        let owner: Weak<dyn Agent> = agent.me.clone();
        agent.inbox.bind(owner);
        Ok(agent)
    }

    /// This agent as everybody sees it.
    pub(crate) fn shared(self: &Arc<Self>) -> Arc<dyn Agent> {
        Arc::clone(self) as Arc<dyn Agent>
    }

    pub(crate) fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_idle(&self, idle: bool) {
        self.idle.send_replace(idle);
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::SeqCst)
    }

    /// Marks the agent as ending. Yields whether this is the first time.
    pub(crate) fn begin_ending(&self) -> bool {
        !self.is_ending.swap(true, Ordering::SeqCst)
    }

    fn wake(&self) {
        // Called on a living agent, so the pointer upgrades.
        if let Some(me) = self.me.upgrade() {
            me.start();
        }
    }

    fn latch(&self) {
        if let Phase::Running { wake_latched, .. } = &mut *self.phase() {
            *wake_latched = true;
            return;
        }
        // The activity ended while the message was put in.
        self.wake();
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
        if delivery == Delivery::Refuse {
            return Err(InboxFailure::Ended(self.id().clone()));
        }
        self.inbox.append(target, message)?;
        match delivery {
            Delivery::Wake => self.wake(),
            Delivery::Latch => self.latch(),
            Delivery::Park | Delivery::Refuse => {}
        }
        Ok(())
    }

    fn cancel(&self, cause: AbortCause, keep: KeepInbox) {
        if keep == KeepInbox::No
            && let Err(error) = self.inbox.clear()
        {
            tracing::error!(agent = %self.id(), %error, "pending input could not be dropped");
        }
        let abort = match &mut *self.phase() {
            Phase::Running { abort, wake_latched } => {
                *wake_latched &= keep == KeepInbox::Yes;
                abort.clone()
            }
            Phase::Idle | Phase::Ended => return,
        };
        abort.trigger(cause);
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
            if let Some(me) = self.me.upgrade() {
                me.end(KeepInbox::No).await;
            }
        })
    }
}
