//! An agent that never works: it only has a session.

use std::sync::Arc;

use dsh_agent::{Agent, AgentOptions, AgentStatus, Inbox, InboxEvents, InboxFailure, KeepInbox, Target, Wake};
use dsh_message::{Message, SessionId};
use dsh_runtime::{BoxFuture, Dispatcher, Scope};
use dsh_session::Session;
use dsh_session::catalogue::AbortCause;

pub struct IdleAgent {
    session: Arc<Session>,
    options: AgentOptions,
    scope: Scope,
    inbox: Inbox,
}

impl IdleAgent {
    pub fn of(session: Arc<Session>) -> Arc<dyn Agent> {
        let events = InboxEvents { inserted: Dispatcher::detached(), claimed: Dispatcher::detached(), discarded: Dispatcher::detached() };
        let inbox = Inbox::new(Arc::clone(&session), events);
        Arc::new(Self { scope: Scope::open("idle"), options: AgentOptions::default(), inbox, session })
    }
}

impl Agent for IdleAgent {
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
    fn send(&self, _message: Arc<Message>, _target: Target, _wake: Wake) -> Result<(), InboxFailure> {
        Ok(())
    }
    fn cancel(&self, _cause: AbortCause, _keep: KeepInbox) {}
    fn when_idle(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
    fn dispose(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }
}
