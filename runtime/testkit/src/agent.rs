//! An agent without a driver.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use dsh_agent::{Agent, AgentOptions, AgentStatus, Inbox, InboxEvents, InboxFailure, KeepInbox, Target, Wake};
use dsh_message::{Message, SessionId};
use dsh_runtime::{BoxFuture, CancellationToken, Dispatcher, Scope};
use dsh_session::catalogue::AbortCause;
use dsh_session::{NewSession, Session, SessionStore};

use crate::Harness;

/// An agent over a real session that never runs anything: it is idle, keeps what it is sent, and remembers why it was cancelled.
pub struct TestAgent {
    options: AgentOptions,
    session: Arc<Session>,
    store: Arc<SessionStore>,
    scope: Scope,
    inbox: Inbox,
    cancelled: Mutex<Option<AbortCause>>,
    signal: CancellationToken,
}

impl TestAgent {
    /// An agent with a new session that works in `cwd`. It is disposed when the harness is torn down.
    ///
    /// # Panics
    /// When the folder's path is not Unicode.
    pub async fn new(harness: &mut Harness, cwd: impl AsRef<Path>) -> Arc<Self> {
        let cwd = cwd.as_ref().to_str().expect("the folder of a test has a Unicode path").to_owned();
        let store = Arc::clone(&harness.sessions().await.store);
        let id = SessionId::from(harness.surroundings().ids.uuid());
        let new = NewSession { cwd: Some(cwd), ..NewSession::default() };
        let session = store.prepare(id.clone(), new, None).expect("a session without a seed");
        let scope = Scope::open(&id.to_string());
        session.bind_scope(scope.id());
        store.enter(&session).and_then(|()| store.announce(&session)).unwrap_or_else(|error| panic!("{error}"));
        let events = InboxEvents { inserted: Dispatcher::detached(), claimed: Dispatcher::detached(), discarded: Dispatcher::detached() };
        let agent = Arc::new(Self {
            options: AgentOptions::default(),
            inbox: Inbox::new(Arc::clone(&session), events),
            session,
            store,
            scope,
            cancelled: Mutex::default(),
            signal: CancellationToken::new(),
        });
        let owner = Arc::downgrade(&agent);
        agent.inbox.bind(owner.clone() as Weak<dyn Agent>);
        let row = harness.context("test-agent").await;
        row.effects().push({
            let agent = Arc::clone(&agent);
            move || async move { agent.dispose().await }
        });
        agent
    }

    /// Why it was cancelled, if it was; the first cause counts.
    #[must_use]
    pub fn cancelled(&self) -> Option<AbortCause> {
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Cancelled with the agent.
    #[must_use]
    pub fn signal(&self) -> &CancellationToken {
        &self.signal
    }
}

impl Agent for TestAgent {
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
        AgentStatus::Idle
    }

    fn send(&self, message: Arc<Message>, target: Target, _wake: Wake) -> Result<(), InboxFailure> {
        self.inbox.append(target, message)
    }

    fn cancel(&self, cause: AbortCause, keep: KeepInbox) {
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(cause);
        if keep == KeepInbox::No {
            self.inbox.clear().expect("the log of a test takes the change");
        }
        self.signal.cancel();
    }

    fn when_idle(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn dispose(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.signal.cancel();
            self.scope.effects().unwind().await;
            self.store.detach(&self.session);
        })
    }
}
