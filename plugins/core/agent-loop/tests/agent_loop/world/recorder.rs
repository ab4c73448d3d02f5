//! What happened, in order: the events of the logs and the live events.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dsh_agent::{Agent, Claimed, Failed, InboxMessage, SessionStart, StartSource, StatusChange};
use dsh_message::SessionId;
use dsh_runtime::event::observer;
use dsh_runtime::{EffectStack, EmitEvent, Position, Topic};
use dsh_session::{Appended, Created, Session, SessionEvent};
use tokio::sync::watch;

use super::topics::Topics;
use super::transcript;

/// Something that happened.
enum Happened {
    Logged(SessionId, Arc<SessionEvent>),
    Live(String),
}

#[derive(Default)]
pub struct Recorder {
    happened: Mutex<Vec<Happened>>,
    count: watch::Sender<usize>,
}

impl Recorder {
    /// A recorder that hears everything before other listeners do.
    pub fn listening(topics: &Topics, effects: &EffectStack) -> Arc<Self> {
        let recorder = Arc::new(Self::default());
        let (session, agent) = (&topics.session, &topics.agent);
        recorder.hear(&session.created, effects, |recorder, Created { session, backlog, .. }: &Created| {
            recorder.live_event(format!("session/created {}", session.header().id));
            for event in backlog {
                recorder.push(Happened::Logged(session.header().id.clone(), Arc::clone(event)));
            }
        });
        recorder.hear(&session.appended, effects, |recorder, Appended { session, event }: &Appended| {
            recorder.push(Happened::Logged(session.header().id.clone(), Arc::clone(event)));
        });
        recorder.hear(&session.disposed, effects, |recorder, session: &Arc<Session>| {
            recorder.live_event(format!("session/disposed {}", session.header().id));
        });
        recorder.hear(&agent.created, effects, |recorder, agent: &Arc<dyn Agent>| {
            recorder.live_event(format!("agent/created {}", agent.id()));
        });
        recorder.hear(&agent.disposed, effects, |recorder, agent: &Arc<dyn Agent>| {
            recorder.live_event(format!("agent/disposed {}", agent.id()));
        });
        recorder.hear(&agent.session_start, effects, |recorder, SessionStart { agent, source }: &SessionStart| {
            let source = match source {
                StartSource::Startup => "startup",
                StartSource::Resume => "resume",
            };
            recorder.live_event(format!("agent/session-start {} {source}", agent.id()));
        });
        recorder.hear(&agent.status, effects, |recorder, StatusChange { agent, status }: &StatusChange| {
            recorder.live_event(format!("agent/status {} {}", agent.id(), status.as_str()));
        });
        recorder.hear(&agent.inserted, effects, |recorder, InboxMessage { message, .. }: &InboxMessage| {
            recorder.live_event(format!("agent/inbox/inserted {}", message.id));
        });
        recorder.hear(&agent.claimed, effects, |recorder, Claimed { message, turn, .. }: &Claimed| {
            recorder.live_event(format!("agent/inbox/claimed {} turn {turn}", message.id));
        });
        recorder.hear(&agent.discarded, effects, |recorder, InboxMessage { message, .. }: &InboxMessage| {
            recorder.live_event(format!("agent/inbox/discarded {}", message.id));
        });
        recorder.hear(&agent.error, effects, |recorder, Failed { agent, turn, step, failure }: &Failed| {
            recorder.live_event(format!("agent/error {} {turn}.{step} {failure}", agent.id()));
        });
        recorder
    }

    fn hear<E>(self: &Arc<Self>, topic: &Topic<E>, effects: &EffectStack, heard: impl Fn(&Self, &E::Payload) + Send + Sync + 'static)
    where
        E: EmitEvent,
    {
        let recorder = Arc::clone(self);
        topic.listen((Position::First, 0), None, observer::<E, _>(move |payload| heard(&recorder, payload)), effects);
    }

    /// Records something else among the live events.
    pub fn live_event(&self, line: String) {
        self.push(Happened::Live(line));
    }

    fn push(&self, happened: Happened) {
        let mut held = self.happened.lock().unwrap_or_else(PoisonError::into_inner);
        held.push(happened);
        self.count.send_replace(held.len());
    }

    /// Waits until something happened whose line is or begins with `line`.
    pub async fn until(&self, line: &str) {
        let mut count = self.count.subscribe();
        let seen = count.wait_for(|_| self.everything().iter().any(|happened| happened.starts_with(line)));
        let seen = tokio::time::timeout(Duration::from_secs(10), seen).await;
        assert!(seen.is_ok(), "`{line}` never happens:\n{}", self.everything().join("\n"));
    }

    /// The events of a session.
    pub fn events(&self, id: &str) -> Vec<SessionEvent> {
        let held = self.happened.lock().unwrap_or_else(PoisonError::into_inner);
        let logged = held.iter().filter_map(|happened| match happened {
            Happened::Logged(session, event) if &*session.0 == id => Some(SessionEvent::clone(event)),
            _ => None,
        });
        logged.collect()
    }

    /// The log of a session, one line for each event; the chunks of a reply share one.
    pub fn transcript(&self, id: &str) -> Vec<String> {
        transcript::lines(&self.events(id))
    }

    /// The live events.
    pub fn live(&self) -> Vec<String> {
        let held = self.happened.lock().unwrap_or_else(PoisonError::into_inner);
        let live = held.iter().filter_map(|happened| match happened {
            Happened::Live(line) => Some(line.clone()),
            Happened::Logged(..) => None,
        });
        live.collect()
    }

    /// Live events and those of all logs as they came.
    pub fn everything(&self) -> Vec<String> {
        let held = self.happened.lock().unwrap_or_else(PoisonError::into_inner);
        let line = |happened: &Happened| match happened {
            Happened::Live(line) => line.clone(),
            Happened::Logged(_, event) => transcript::line(event),
        };
        held.iter().map(line).collect()
    }
}
