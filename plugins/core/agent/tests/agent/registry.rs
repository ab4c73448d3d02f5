//! The registry of live agents.

use std::sync::Arc;

use dsh_agent::{Agent, AgentCreated, AgentFactory, AgentFailure, AgentOptions, AgentStatus, CreateAgent, ResumeAgent, StatusChange};
use dsh_message::SessionId;
use dsh_runtime::event::observer;
use dsh_runtime::{BoxFuture, CancellationToken, EffectStack, ListenerError, Position};
use dsh_session::NewSession;
use dsh_testkit::{Harness, TestAgent};

use crate::world::World;

/// A factory that says its name instead of making agents.
struct Named(&'static str);

impl AgentFactory for Named {
    fn create(&self, _request: CreateAgent) -> BoxFuture<'_, Result<Arc<dyn Agent>, AgentFailure>> {
        Box::pin(async { Err(AgentFailure::Load { message: format!("{} creates", self.0) }) })
    }

    fn resume(&self, _request: ResumeAgent) -> BoxFuture<'_, Result<Arc<dyn Agent>, AgentFailure>> {
        Box::pin(async { Err(AgentFailure::Load { message: format!("{} resumes", self.0) }) })
    }
}

async fn create(world: &World) -> String {
    let request = CreateAgent {
        session_id: SessionId::from("s"),
        session: NewSession::default(),
        seed: None,
        options: AgentOptions::default(),
        signal: CancellationToken::new(),
    };
    world.agents.create(request).await.err().unwrap().to_string()
}

async fn resume(world: &World) -> String {
    let request = ResumeAgent { session_id: SessionId::from("s"), options: AgentOptions::default(), signal: CancellationToken::new() };
    world.agents.resume(request).await.err().unwrap().to_string()
}

#[tokio::test]
async fn one_factory_makes_the_agents_and_leaves_nothing() {
    let world = World::new().await;
    let none = "no agent factory is mounted: the composition needs a row that drives agents, such as `agent-loop`";
    assert_eq!((create(&world).await, resume(&world).await), (none.to_owned(), none.to_owned()));
    let effects = EffectStack::new("driver");
    world.agents.set_factory(Arc::new(Named("first")), &effects).unwrap();
    let second = world.agents.set_factory(Arc::new(Named("second")), &effects).unwrap_err();
    assert_eq!(second.to_string(), "another plugin drives agents already");
    assert_eq!((create(&world).await, resume(&world).await), ("first creates".to_owned(), "first resumes".to_owned()));
    effects.unwind().await;
    assert_eq!(create(&world).await, none);
    world.agents.set_factory(Arc::new(Named("second")), world.row.effects()).unwrap();
    assert_eq!(create(&world).await, "second creates");
    world.teardown().await;
}

#[tokio::test]
async fn an_agent_is_found_from_its_entry_to_its_end() {
    let world = World::new().await;
    let (agents, agent) = (&world.agents, &world.agent);
    assert!(agents.get(agent.id()).is_none());
    agents.enter(agent).unwrap();
    assert!(Arc::ptr_eq(&agents.get(agent.id()).unwrap(), agent));
    assert_eq!(agents.list().len(), 1);
    assert!(matches!(agents.enter(agent), Err(AgentFailure::Registered(id)) if &id == agent.id()));
    agents.announce(agent).unwrap();
    agents.detach(agent);
    agents.detach(agent);
    assert!(agents.list().is_empty());
    assert_eq!(world.heard(), ["created", "disposed"]);
    world.teardown().await;
}

#[tokio::test]
async fn the_end_of_an_agent_that_was_never_announced_is_not_either() {
    let world = World::new().await;
    world.agents.enter(&world.agent).unwrap();
    world.agents.detach(&world.agent);
    assert_eq!(world.heard(), [""; 0]);
    world.teardown().await;
}

#[tokio::test]
async fn the_end_of_an_agent_that_was_refused_is_announced() {
    let world = World::new().await;
    let refuse = |_: &Arc<dyn Agent>| Err::<(), _>(ListenerError::new("no"));
    let (key, effects) = ((Position::Row, world.row.row()), world.row.effects());
    world.topics.created.listen(key, None, observer::<AgentCreated, _>(refuse), effects);
    world.agents.enter(&world.agent).unwrap();
    let refused = world.agents.announce(&world.agent).unwrap_err().to_string();
    assert_eq!(refused, format!("agent \"{}\" was refused: no", world.agent.id()));
    world.agents.detach(&world.agent);
    assert_eq!(world.heard(), ["created", "disposed"]);
    world.teardown().await;
}

#[tokio::test]
async fn an_agent_does_not_take_another_of_its_id_out() {
    let world = World::new().await;
    // Ids of a harness count from 1, so this one has the same.
    let mut elsewhere = Harness::new();
    let folder = elsewhere.folder().to_owned();
    let twin: Arc<dyn Agent> = TestAgent::new(&mut elsewhere, folder).await;
    assert_eq!(twin.id(), world.agent.id());
    world.agents.enter(&world.agent).unwrap();
    world.agents.announce(&world.agent).unwrap();
    world.agents.detach(&twin);
    assert!(Arc::ptr_eq(&world.agents.get(twin.id()).unwrap(), &world.agent));
    assert_eq!(world.heard(), ["created"]);
    world.agents.detach(&world.agent);
    world.teardown().await;
    drop(twin);
    elsewhere.teardown().await;
}

#[tokio::test]
async fn a_status_that_is_announced_twice_in_a_row_breaks_a_rule() {
    let world = World::new().await;
    let dispatcher = world.topics.status.dispatcher();
    let announce = |status| dispatcher.emit(&StatusChange { agent: Arc::clone(&world.agent), status }).map_err(|error| error.to_string());
    let twice = |status: &str| Err(format!("dsh-agent: agent `{}` was announced {status} twice in a row", world.agent.id()));
    assert_eq!(announce(AgentStatus::Idle), twice("idle"), "an agent starts idle");
    assert_eq!(announce(AgentStatus::Running), Ok(()));
    assert_eq!(announce(AgentStatus::Running), twice("running"));
    assert_eq!(announce(AgentStatus::Idle), Ok(()));
    assert_eq!(announce(AgentStatus::Running), Ok(()));
    // The next agent of the scope starts anew.
    world.topics.disposed.dispatcher().emit(&world.agent).unwrap();
    assert_eq!(announce(AgentStatus::Running), Ok(()));
    world.teardown().await;
}
