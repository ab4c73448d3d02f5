//! An inbox and a registry over a real session, and what their listeners heard.

use std::sync::{Arc, Mutex};

use dsh_agent::{
    Agent, AgentCreated, AgentDisposed, AgentInboxClaimed, AgentInboxDiscarded, AgentInboxInserted, AgentStatusChanged, Agents, Claimed,
    Inbox, InboxEvents, InboxMessage, Inject, Target,
};
use dsh_message::{ContentBlock, Message, MessageId, MessageSource};
use dsh_runtime::event::{Observer, observer};
use dsh_runtime::{NoConfig, PluginContext, Position, Topic};
use dsh_session::{Appended, SessionEvent, SessionEventAppended};
use dsh_testkit::{EveryInvariant, Harness, Sessions, TestAgent};

#[derive(Default)]
pub struct Topics {
    pub inserted: Topic<AgentInboxInserted>,
    pub claimed: Topic<AgentInboxClaimed>,
    pub discarded: Topic<AgentInboxDiscarded>,
    pub created: Topic<AgentCreated>,
    pub disposed: Topic<AgentDisposed>,
    pub status: Topic<AgentStatusChanged>,
}

pub struct World {
    harness: Harness,
    pub row: PluginContext,
    pub topics: Topics,
    sessions: Arc<Sessions>,
    pub agents: Arc<Agents>,
    pub agent: Arc<dyn Agent>,
    pub inbox: Arc<Inbox>,
    heard: Arc<Mutex<Vec<String>>>,
    logged: Arc<Mutex<Vec<Arc<SessionEvent>>>>,
}

impl World {
    pub async fn new() -> Self {
        let mut harness = Harness::new();
        let topics = Topics::default();
        let folder = harness.folder().to_owned();
        let agent: Arc<dyn Agent> = TestAgent::new(&mut harness, folder).await;
        let sessions = harness.sessions().await;
        let inject = Inject {
            invariants: Some(Arc::new(EveryInvariant)),
            created: topics.created.dispatcher(),
            disposed: topics.disposed.dispatcher(),
            status: topics.status.dispatcher(),
        };
        let agents = harness.mount::<Agents>("agent", NoConfig {}, inject).await.plugin();
        let events = InboxEvents {
            inserted: topics.inserted.dispatcher(),
            claimed: topics.claimed.dispatcher(),
            discarded: topics.discarded.dispatcher(),
        };
        let inbox = Arc::new(Inbox::new(Arc::clone(agent.session()), events));
        inbox.bind(Arc::downgrade(&agent));
        let row = harness.context("test").await;
        let world = Self { harness, row, topics, sessions, agents, agent, inbox, heard: Arc::default(), logged: Arc::default() };
        world.listen();
        let (key, logged) = ((Position::First, 0), Arc::clone(&world.logged));
        let log = move |Appended { event, .. }: &Appended| logged.lock().unwrap().push(Arc::clone(event));
        world.sessions.topics.appended.listen(key, None, observer::<SessionEventAppended, _>(log), world.row.effects());
        world
    }

    /// Adds a listener of the log.
    pub fn on_log(&self, listener: Arc<Observer<Appended>>) {
        self.sessions.topics.appended.listen((Position::Row, self.row.row()), None, listener, self.row.effects());
    }

    /// Adds a listener of claims.
    pub fn on_claimed(&self, heard: impl Fn(&Claimed) + Send + Sync + 'static) {
        let listener = observer::<AgentInboxClaimed, _>(heard);
        self.topics.claimed.listen((Position::Row, self.row.row()), None, listener, self.row.effects());
    }

    fn listen(&self) {
        let (key, effects) = ((Position::First, 0), self.row.effects());
        let hear = || Arc::clone(&self.heard);
        let (heard, other) = (hear(), hear());
        let inserted = move |InboxMessage { message, .. }: &InboxMessage| heard.lock().unwrap().push(format!("inserted {}", message.id));
        self.topics.inserted.listen(key, None, observer::<AgentInboxInserted, _>(inserted), effects);
        let claimed =
            move |Claimed { message, turn, .. }: &Claimed| other.lock().unwrap().push(format!("claimed {} in turn {turn}", message.id));
        self.topics.claimed.listen(key, None, observer::<AgentInboxClaimed, _>(claimed), effects);
        let (heard, created, disposed) = (hear(), hear(), hear());
        let discarded = move |InboxMessage { message, .. }: &InboxMessage| heard.lock().unwrap().push(format!("discarded {}", message.id));
        self.topics.discarded.listen(key, None, observer::<AgentInboxDiscarded, _>(discarded), effects);
        let made = move |_: &Arc<dyn Agent>| created.lock().unwrap().push("created".to_owned());
        self.topics.created.listen(key, None, observer::<AgentCreated, _>(made), effects);
        let ended = move |_: &Arc<dyn Agent>| disposed.lock().unwrap().push("disposed".to_owned());
        self.topics.disposed.listen(key, None, observer::<AgentDisposed, _>(ended), effects);
    }

    /// What was heard, and forgets it.
    pub fn heard(&self) -> Vec<String> {
        std::mem::take(&mut *self.heard.lock().unwrap())
    }

    /// The data of the events that were logged.
    pub fn log(&self) -> Vec<String> {
        self.logged.lock().unwrap().iter().map(|event| event.data.get().to_owned()).collect()
    }

    /// The events that were logged.
    pub fn events(&self) -> Vec<Arc<SessionEvent>> {
        self.logged.lock().unwrap().clone()
    }

    /// Ids of what is pending on a list.
    pub fn pending(&self, target: Target) -> Vec<String> {
        self.inbox.pending(target).iter().map(|message| message.id.to_string()).collect()
    }

    pub async fn teardown(self) {
        self.harness.teardown().await;
    }
}

/// A message of a person without words.
pub fn message(id: &str) -> Arc<Message> {
    Arc::new(Message::user(MessageId::from(id), vec![ContentBlock::text("")], MessageSource::User))
}
