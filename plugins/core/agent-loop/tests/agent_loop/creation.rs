//! How agents come to be, and what is left when they do not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dsh_agent::{Agent, AgentCreated, AgentFailure, AgentOptions, AgentSessionStart, CreateAgent, InboxSpliced, Target, Wake};
use dsh_json::to_raw;
use dsh_message::SessionId;
use dsh_runtime::event::observer;
use dsh_runtime::{CancellationToken, EmitEvent, ListenerError, Topic};
use dsh_session::{Created, NewSession, SessionCreated, SessionEvent};
use dsh_testkit::{Harness, Reply, TestAgent};

use crate::world::{World, check, create, scripted, seeded, user};

/// Refuses the first announcement.
fn refuse_once<E: EmitEvent>(world: &World, topic: &Topic<E>) {
    let refused = AtomicBool::new(false);
    let refuse = move |_: &E::Payload| {
        if refused.swap(true, Ordering::SeqCst) { Ok(()) } else { Err(ListenerError::new("not today")) }
    };
    world.on(topic, observer::<E, _>(refuse));
}

async fn refused(world: &World, request: CreateAgent) -> String {
    world.create(request).await.err().expect("it is refused").to_string()
}

#[tokio::test]
async fn a_refused_agent_is_undone_and_its_id_is_free() {
    let world = World::new([Reply::text("done")]).await;
    let undone = Arc::clone(&world.recorder);
    let register = move |agent: &Arc<dyn Agent>| {
        let undone = Arc::clone(&undone);
        agent.scope().effects().push_sync(move || undone.live_event("scope undone".to_owned()));
    };
    world.on(&world.topics.agent.created, observer::<AgentCreated, _>(register));
    refuse_once(&world, &world.topics.agent.created);
    assert_eq!(refused(&world, create("s")).await, "agent \"s\" was refused: not today");
    world.check_live(
        "
        session/created s
        agent/created s
        scope undone
        agent/disposed s
        session/disposed s
        ",
    );
    assert!(world.agents.get(&SessionId::from("s")).is_none());
    assert!(world.sessions.get(&SessionId::from("s")).is_none());
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 completed");
    world.teardown().await;
}

#[tokio::test]
async fn a_refused_session_is_undone_and_its_agent_is_never_announced() {
    let world = World::new([]).await;
    refuse_once(&world, &world.topics.session.created);
    assert_eq!(refused(&world, create("s")).await, "session \"s\" was refused: not today");
    world.check_live("session/created s \n session/disposed s");
    world.agent("s").await;
    world.teardown().await;
}

#[tokio::test]
async fn work_that_a_listener_started_ends_with_a_refused_agent() {
    let world = World::new([Reply::unfinished("half")]).await;
    let wake = |agent: &Arc<dyn Agent>| agent.followup(user("m1", "go")).unwrap();
    world.on(&world.topics.agent.created, observer::<AgentCreated, _>(wake));
    refuse_once(&world, &world.topics.agent.created);
    refused(&world, create("s")).await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        turn/end 1 aborted disposed
        ",
    );
    assert!(world.recorder.live().ends_with(&["agent/disposed s".to_owned(), "session/disposed s".to_owned()]));
    world.teardown().await;
}

#[tokio::test]
async fn an_id_that_is_taken_is_refused_and_its_holder_lives_on() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    let before = world.recorder.live();
    assert_eq!(refused(&world, create("s")).await, "session \"s\" already exists");
    assert_eq!(world.recorder.live(), before, "nobody hears of it");
    assert!(Arc::ptr_eq(&world.agents.get(agent.id()).unwrap(), &agent));
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 completed");
    world.teardown().await;
}

#[tokio::test]
async fn an_id_that_an_agent_of_another_driver_has_is_refused() {
    let mut elsewhere = Harness::new();
    let folder = elsewhere.folder().to_owned();
    let foreign: Arc<dyn Agent> = TestAgent::new(&mut elsewhere, folder).await;
    let world = World::new([]).await;
    world.agents.enter(&foreign).unwrap();
    let id = foreign.id().to_string();
    assert_eq!(refused(&world, create(&id)).await, format!("agent \"{id}\" is already registered"));
    world.check_live("");
    world.agents.detach(&foreign);
    world.agent(&id).await;
    world.teardown().await;
    drop(foreign);
    elsewhere.teardown().await;
}

#[tokio::test]
async fn a_creation_that_is_given_up_leaves_nothing() {
    let world = World::new([]).await;
    let request = create("s");
    request.signal.cancel();
    assert_eq!(refused(&world, request).await, "the start of agent \"s\" was given up");
    world.check_live("");
    world.teardown().await;
}

#[tokio::test]
async fn a_creation_can_be_given_up_by_whoever_hears_of_it() {
    let signal = CancellationToken::new();
    let world = World::new([]).await;
    let cancel = signal.clone();
    world.on(&world.topics.session.created, observer::<SessionCreated, _>(move |_: &Created| cancel.cancel()));
    let request = CreateAgent { signal, ..create("s") };
    assert_eq!(refused(&world, request).await, "the start of agent \"s\" was given up");
    world.check_live("session/created s \n session/disposed s");
    world.teardown().await;

    let signal = CancellationToken::new();
    let world = World::new([]).await;
    let cancel = signal.clone();
    world.on(&world.topics.agent.session_start, observer::<AgentSessionStart, _>(move |_| cancel.cancel()));
    let request = CreateAgent { signal, ..create("s") };
    assert_eq!(refused(&world, request).await, "the start of agent \"s\" was given up");
    let live = world.recorder.live();
    check("the end", &live[3..], "agent/disposed s \n session/disposed s");
    world.teardown().await;
}

#[tokio::test]
async fn a_ceiling_that_no_request_can_state_is_refused() {
    let world = World::new([]).await;
    for most in [0, 1 << 53] {
        let options = AgentOptions { max_tokens: Some(most), ..scripted() };
        let words = refused(&world, CreateAgent { options, ..create("s") }).await;
        assert_eq!(words, "`maxTokens` of agent \"s\" is not between 1 and 9007199254740991");
    }
    world.check_live("");
    let options = AgentOptions { max_tokens: Some((1 << 53) - 1), ..scripted() };
    world.create(CreateAgent { options, ..create("s") }).await.unwrap();
    world.teardown().await;
}

#[tokio::test]
async fn a_seed_is_marked_even_an_empty_one_but_only_once() {
    let world = World::new([]).await;
    let agent = world.create(seeded("s", Vec::new())).await.unwrap();
    world.check_log("session/end-seed {}");
    let seed = world.recorder.events("s");
    assert_eq!(agent.session().first_live_seq(), 0);
    let again = world.create(seeded("again", seed)).await.unwrap();
    assert_eq!((again.session().length(), again.session().first_live_seq()), (1, 1));
    assert_eq!(world.recorder.transcript("again"), [""; 0]);
    world.agent("none").await;
    assert_eq!(world.recorder.transcript("none"), [""; 0]);
    world.teardown().await;
}

/// A log with a prompt and a note that wait.
async fn log_with_input() -> Vec<SessionEvent> {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    agent.send(user("m1", "go"), Target::NextTurn, Wake::No).unwrap();
    agent.inject(user("m2", "note")).unwrap();
    let log = world.recorder.events("s");
    world.teardown().await;
    log
}

#[tokio::test]
async fn input_that_waits_in_a_seed_waits_on_but_a_fork_does_not_inherit_it() {
    let seed = log_with_input().await;
    let world = World::new([]).await;
    let agent = world.create(seeded("s", seed.clone())).await.unwrap();
    let ids = |target| agent.inbox().pending(target).iter().map(|message| message.id.to_string()).collect::<Vec<_>>();
    assert_eq!((ids(Target::NextTurn), ids(Target::NextStep)), (vec!["m1".to_owned()], vec!["m2".to_owned()]));
    let session = NewSession { parent_session: Some("s".into()), seed_length: Some(2), ..NewSession::default() };
    let fork = world.create(CreateAgent { session, ..seeded("fork", seed) }).await.unwrap();
    assert!(fork.inbox().is_empty());
    world.check_live(
        "
        session/created s
        agent/created s
        agent/session-start s startup
        session/created fork
        agent/created fork
        agent/session-start fork startup
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_seed_whose_input_does_not_fit_is_refused_with_the_event_at_fault() {
    let mut seed = log_with_input().await;
    let mut again = seed[0].clone();
    again.seq = 2;
    seed.push(again);
    let world = World::new([]).await;
    let words = refused(&world, seeded("s", seed.clone())).await;
    assert_eq!(
        words,
        "the inbox of session \"s\" cannot be rebuilt: event 2 cannot be a change of the inbox: message \"m1\" is already pending"
    );
    world.check_live("");
    let broken = InboxSpliced { target: Target::NextStep, start: 3, removed_count: 1, inserted: Vec::new(), outcome: None };
    seed[2].data = Arc::from(to_raw(&broken).unwrap());
    let words = refused(&world, seeded("s", seed)).await;
    assert!(words.ends_with("event 2 cannot be a change of the inbox: the list has no such place"), "{words}");
    world.agent("s").await;
    world.teardown().await;
}

#[tokio::test]
async fn a_failing_listener_of_the_start_is_contained() {
    let world = World::new([]).await;
    refuse_once(&world, &world.topics.agent.session_start);
    assert!(matches!(world.create(create("s")).await, Ok(agent) if agent.id() == &SessionId::from("s")));
    assert!(matches!(world.create(create("")).await, Err(AgentFailure::Session(_))));
    world.teardown().await;
}
