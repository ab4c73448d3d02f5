//! Sessions that are taken up again.

use std::sync::{Arc, PoisonError};

use dsh_agent::{Agent, AgentCreated, AgentFailure, ResumeAgent, Target, Wake};
use dsh_message::SessionId;
use dsh_runtime::event::observer;
use dsh_runtime::{CancellationToken, ListenerError, Timestamp};
use dsh_session::{Repair, SessionEvent, SessionHeader};
use dsh_testkit::{Reply, ScriptedModel, tool_spec};

use crate::world::{Gate, Setup, World, calls, check, gated, scripted, user};

/// A log with one turn.
async fn log_of_a_turn() -> Vec<SessionEvent> {
    let world = World::new([Reply::text("hello")]).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "hi").await;
    let log = world.recorder.events("s");
    world.teardown().await;
    log
}

#[tokio::test]
async fn a_session_goes_on_where_it_stopped() {
    let world = World::new([Reply::text("again")]).await;
    world.store.put("s", log_of_a_turn().await);
    let agent = world.resume("s").await.unwrap();
    world.prompt(&agent, "m2", "more").await;
    world.check_log(
        r#"
        session/end-seed {}
        inbox next-turn[0] +m2
        turn/start 2
        inbox next-turn[0] -1
        step/start 2.1
        user/message m2 "more"
        request/header resume scripted/m
        chunks A start text:"again" end usage finish:stop
        assistant/message 2.1 "again" (100+10 tokens) <- A
        step/end 2.1
        turn/end 2 completed
        "#,
    );
    world.check_requests(r#"scripted/m: m1 "hi", "hello", m2 "more""#);
    world.check_live(
        "
        session/created s
        agent/created s
        agent/session-start s resume
        agent/inbox/inserted m2
        agent/status s running
        agent/inbox/claimed m2 turn 2
        agent/status s idle
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn taking_a_session_up_twice_without_work_leaves_one_mark() {
    let world = World::new([]).await;
    let mut log = log_of_a_turn().await;
    world.store.put("s", log.clone());
    world.resume("s").await.unwrap().dispose().await;
    check("the first time", &world.recorder.transcript("s"), "session/end-seed {}");
    log.extend(world.recorder.events("s"));
    world.store.put("s", log);
    let agent = world.resume("s").await.unwrap();
    check("the second time", &world.recorder.transcript("s"), "session/end-seed {}");
    assert_eq!(agent.session().length(), agent.session().first_live_seq());
    world.teardown().await;
}

#[tokio::test]
async fn input_that_waited_is_run_before_what_wakes() {
    let before = World::new([]).await;
    let agent = before.agent("s").await;
    agent.send(user("a", "first"), Target::NextTurn, Wake::No).unwrap();
    let log = before.recorder.events("s");
    before.teardown().await;

    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    world.store.put("s", log);
    let agent = world.resume("s").await.unwrap();
    world.idle(&agent).await;
    assert!(world.model.calls().is_empty(), "nothing runs by itself");
    world.prompt(&agent, "b", "second").await;
    world.check_log(
        r#"
        session/end-seed {}
        inbox next-turn[1] +b
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message a "first"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"one" end usage finish:stop
        assistant/message 1.1 "one" (100+10 tokens) <- A
        step/end 1.1
        turn/end 1 completed
        turn/start 2
        inbox next-turn[0] -1
        step/start 2.1
        user/message b "second"
        chunks B start text:"two" end usage finish:stop
        assistant/message 2.1 "two" (100+10 tokens) <- B
        step/end 2.1
        turn/end 2 completed
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_session_whose_process_died_during_a_call_goes_on_after_its_repair() {
    let before = World::new([calls(["slow"])]).await;
    before.tool(tool_spec("slow"), gated(&Gate::default()));
    let agent = before.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    before.recorder.until("tool/call call_1").await;
    let mut log = before.recorder.events("s");
    before.teardown().await;
    let mut repair = Repair::new();
    log.iter().for_each(|event| repair.scan(event));
    log.extend(repair.closers().unwrap());

    let world = World::new([Reply::text("done")]).await;
    world.store.put("s", log);
    let agent = world.resume("s").await.unwrap();
    world.prompt(&agent, "m2", "go on").await;
    let messages = world.model.calls()[0].request.messages.as_slice().len();
    assert_eq!(messages, 4, "prompt, call, its repaired result, prompt");
    assert_eq!(world.last(), "turn/end 2 completed");
    world.teardown().await;
}

#[tokio::test]
async fn a_session_that_is_live_is_not_taken_up() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.store.put("s", Vec::new());
    let before = world.recorder.live();
    assert!(matches!(world.resume("s").await, Err(AgentFailure::Registered(id)) if &id == agent.id()));
    assert_eq!(world.recorder.live(), before);
    world.teardown().await;
}

#[tokio::test]
async fn a_session_that_cannot_be_loaded_makes_no_agent() {
    let world = World::new([]).await;
    assert_eq!(world.resume("nobody").await.err().unwrap().to_string(), "session \"nobody\" not found");
    let mut log = log_of_a_turn().await;
    log.remove(0);
    world.store.put("s", log);
    let words = world.resume("s").await.err().unwrap().to_string();
    assert_eq!(words, "session \"s\" cannot be taken up: event 1 stands where event 0 belongs");
    world.check_live("");
    world.teardown().await;
}

#[tokio::test]
async fn without_a_store_nothing_is_taken_up() {
    let world = World::with(Setup { persistence: false, ..Setup::new(ScriptedModel::new([])) }).await;
    let words = world.resume("s").await.err().unwrap().to_string();
    assert_eq!(words, "session \"s\" cannot be resumed: no row of the composition stores sessions");
    world.teardown().await;
}

#[tokio::test]
async fn a_load_that_takes_long_can_be_given_up() {
    let world = World::new([]).await;
    world.store.put("s", log_of_a_turn().await);
    *world.store.gate.lock().unwrap_or_else(PoisonError::into_inner) = Some(Gate::default());
    let signal = CancellationToken::new();
    let request = ResumeAgent { session_id: "s".into(), options: scripted(), signal: signal.clone() };
    let agents = Arc::clone(&world.agents);
    let resuming = tokio::spawn(async move { agents.resume(request).await.err().map(|error| error.to_string()) });
    tokio::task::yield_now().await;
    signal.cancel();
    assert_eq!(resuming.await.unwrap().unwrap(), "the start of agent \"s\" was given up");
    world.check_live("");
    world.teardown().await;
}

#[tokio::test]
async fn a_load_is_given_up_when_the_driver_ends() {
    let world = World::new([]).await;
    world.store.put("s", log_of_a_turn().await);
    *world.store.gate.lock().unwrap_or_else(PoisonError::into_inner) = Some(Gate::default());
    let request = ResumeAgent { session_id: "s".into(), options: scripted(), signal: CancellationToken::new() };
    let agents = Arc::clone(&world.agents);
    let resuming = tokio::spawn(async move { agents.resume(request).await.err().map(|error| error.to_string()) });
    tokio::task::yield_now().await;
    world.teardown().await;
    assert_eq!(resuming.await.unwrap().unwrap(), "the start of agent \"s\" was given up");
}

#[tokio::test]
async fn a_fork_that_is_taken_up_has_its_own_input_alone() {
    let before = World::new([]).await;
    let agent = before.agent("s").await;
    agent.send(user("of the parent", "no"), Target::NextTurn, Wake::No).unwrap();
    agent.inject(user("own", "yes")).unwrap();
    let log = before.recorder.events("s");
    before.teardown().await;

    let world = World::new([]).await;
    let header = SessionHeader {
        id: "s".into(),
        created_at: Timestamp(0),
        cwd: None,
        parent_session: Some(SessionId::from("parent")),
        seed_length: Some(1),
        origin: None,
        delegation_depth: 0,
        agent_preset: None,
    };
    world.store.put_with(header, log);
    let agent = world.resume("s").await.unwrap();
    assert!(agent.inbox().pending(Target::NextTurn).is_empty());
    assert_eq!(agent.inbox().pending(Target::NextStep).len(), 1);
    world.teardown().await;
}

#[tokio::test]
async fn a_refused_resumption_leaves_the_waiting_input_in_the_log() {
    let before = World::new([]).await;
    let agent = before.agent("s").await;
    agent.send(user("m1", "go"), Target::NextTurn, Wake::No).unwrap();
    let log = before.recorder.events("s");
    before.teardown().await;

    let world = World::new([]).await;
    world.store.put("s", log);
    let refuse = |_: &Arc<dyn Agent>| Err::<(), _>(ListenerError::new("not today"));
    world.on(&world.topics.agent.created, observer::<AgentCreated, _>(refuse));
    assert!(world.resume("s").await.is_err());
    world.check_log("session/end-seed {}");
    world.teardown().await;
}
