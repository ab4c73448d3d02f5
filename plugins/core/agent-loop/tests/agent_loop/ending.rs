//! The end of agents.

use std::sync::Arc;

use dsh_agent::{Agent, AgentDisposed, AgentFailure, AgentStatus, InboxFailure, Target, Wake};
use dsh_runtime::event::{around, observer};
use dsh_testkit::{Reply, tool_body, tool_spec};
use dsh_tools::ToolOutput;

use crate::world::{Gate, World, calls, check, create, user};

/// What happened from the moment on at which `line` did.
fn since(world: &World, line: &str) -> Vec<String> {
    let everything = world.recorder.everything();
    let start = everything.iter().position(|happened| happened == line).expect("it happened");
    everything[start..].to_vec()
}

#[tokio::test]
async fn an_agent_that_ends_in_the_middle_of_a_reply_closes_its_log_and_then_leaves() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    agent.followup(user("m2", "waits")).unwrap();
    world.recorder.until("chunk text").await;
    agent.dispose().await;
    check(
        "the end",
        &since(&world, r#"chunk text:"half""#),
        r#"
        chunk text:"half"
        inbox next-turn[0] -1 canceled
        agent/inbox/discarded m2
        assistant/message 1.1 interrupted "half"
        step/end 1.1
        turn/end 1 aborted disposed
        agent/status s idle
        agent/disposed s
        session/disposed s
        "#,
    );
    assert!(world.agents.list().is_empty());
    assert!(world.sessions.list().is_empty());
    world.teardown().await;
}

#[tokio::test]
async fn an_idle_agent_drops_its_input_and_leaves() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    agent.inject(user("m1", "note")).unwrap();
    agent.dispose().await;
    check(
        "the end",
        &since(&world, "agent/inbox/inserted m1"),
        "
        agent/inbox/inserted m1
        inbox next-step[0] -1 canceled
        agent/inbox/discarded m1
        agent/disposed s
        session/disposed s
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn an_agent_that_ends_before_its_step_opens_none() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    let listener = around::<dsh_agent::AgentPreStep, _>((), |(), proposed, next| {
        Box::pin(async move {
            proposed.signal.cancelled().await;
            next.run(proposed).await
        })
    });
    world.on(&world.topics.agent.pre_step, listener);
    agent.followup(user("m1", "go")).unwrap();
    agent.dispose().await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        turn/end 1 aborted disposed
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn calls_that_started_end_before_the_agent_does() {
    let world = World::new([calls(["slow", "slow"])]).await;
    let gate = Gate::default();
    let held = gate.clone();
    // It looks at no signal: whoever ends the agent waits for it.
    let body = tool_body(move |_args, _call| {
        let gate = held.clone();
        Box::pin(async move {
            gate.pass().await;
            Ok(ToolOutput::text("late"))
        })
    });
    world.tool(tool_spec("slow"), body);
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("tool/call call_1").await;
    let mut ending = agent.dispose();
    tokio::select! {
        biased;
        () = &mut ending => panic!("a call still runs"),
        () = tokio::task::yield_now() => {}
    }
    gate.open();
    ending.await;
    check(
        "the end",
        &since(&world, "tool/call call_1 slow {}"),
        r#"
        tool/call call_1 slow {}
        tool/result call_1 failed "Error: tool call aborted" ABORTED
        tool/call call_2 slow {}
        tool/result call_2 failed "Error: tool call aborted before dispatch" ABORTED_BEFORE_DISPATCH
        step/end 1.1
        turn/end 1 aborted disposed
        agent/status s idle
        agent/disposed s
        session/disposed s
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_waking_message_meanwhile_starts_nothing_and_one_afterwards_is_refused() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    let mut ending = agent.dispose();
    tokio::select! {
        biased;
        () = &mut ending => panic!("the turn is not closed yet"),
        () = std::future::ready(()) => {}
    }
    agent.steer(user("m2", "instead")).unwrap();
    ending.await;
    assert_eq!(world.last(), "turn/end 1 aborted disposed");
    assert!(world.recorder.transcript("s").contains(&"inbox next-turn[0] +m2".to_owned()));
    let length = agent.session().length();
    let refused = agent.followup(user("m3", "too late"));
    assert!(matches!(refused, Err(InboxFailure::Ended(id)) if &*id.0 == "s"));
    assert_eq!((agent.session().length(), agent.status()), (length, AgentStatus::Idle));
    world.teardown().await;
}

#[tokio::test]
async fn an_idle_agent_that_is_ending_is_not_woken() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    let gate = Gate::default();
    let held = gate.clone();
    agent.scope().effects().push(move || async move { held.pass().await });
    let mut ending = agent.dispose();
    tokio::select! {
        biased;
        () = &mut ending => panic!("its scope is not undone yet"),
        () = tokio::task::yield_now() => {}
    }
    agent.send(user("m1", "go"), Target::NextTurn, Wake::Yes).unwrap();
    gate.open();
    ending.await;
    world.check_log("inbox next-turn[0] +m1");
    world.teardown().await;
}

#[tokio::test]
async fn an_agent_ends_once_whoever_asks() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    tokio::join!(agent.dispose(), agent.dispose());
    agent.dispose().await;
    let ends = world.recorder.live().into_iter().filter(|line| line.ends_with("/disposed s"));
    check("the ends", &ends.collect::<Vec<_>>(), "agent/disposed s \n session/disposed s");
    world.teardown().await;
}

#[tokio::test]
async fn the_end_is_reached_even_when_nobody_waits_for_it() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    {
        let mut ending = agent.dispose();
        tokio::select! {
            biased;
            () = &mut ending => panic!("the turn is not closed yet"),
            () = std::future::ready(()) => {}
        }
    }
    world.recorder.until("session/disposed s").await;
    world.teardown().await;
}

#[tokio::test]
async fn the_scope_is_undone_before_the_end_is_announced() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    let (undone, heard) = (Arc::clone(&world.recorder), Arc::clone(&world.recorder));
    let listener = observer::<AgentDisposed, _>(move |_: &Arc<dyn Agent>| heard.live_event("heard in the scope".to_owned()));
    world.topics.agent.disposed.listen(world.key(), Some(agent.scope().id()), listener, agent.scope().effects());
    agent.scope().effects().push_sync(move || undone.live_event("scope undone".to_owned()));
    agent.dispose().await;
    check(
        "the end",
        &world.recorder.live()[3..],
        "
        scope undone
        agent/disposed s
        session/disposed s
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn an_id_is_free_again_after_the_end() {
    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    agent.dispose().await;
    let again = world.agent("s").await;
    assert_eq!(again.session().last_turn(), 0);
    world.prompt(&again, "m1", "go").await;
    assert_eq!(again.session().last_turn(), 1);
    world.teardown().await;
}

#[tokio::test]
async fn all_agents_end_when_the_driver_does_and_none_are_made_any_more() {
    let world = World::new([Reply::unfinished("one"), Reply::unfinished("two")]).await;
    for id in ["a", "b"] {
        let agent = world.agent(id).await;
        agent.followup(user("m1", "go")).unwrap();
        world.recorder.until(&format!("agent/status {id} running")).await;
    }
    world.agent("c").await;
    world.recorder.until(r#"chunk text:"two""#).await;
    let (agents, recorder) = (Arc::clone(&world.agents), Arc::clone(&world.recorder));
    world.teardown().await;
    for id in ["a", "b"] {
        assert_eq!(recorder.transcript(id).last().unwrap(), "turn/end 1 aborted disposed");
    }
    let mut ended: Vec<String> = recorder.live().into_iter().filter(|line| line.contains("/disposed")).collect();
    ended.sort();
    check(
        "the ends",
        &ended,
        "
        agent/disposed a
        agent/disposed b
        agent/disposed c
        session/disposed a
        session/disposed b
        session/disposed c
        ",
    );
    assert!(agents.list().is_empty());
    assert!(matches!(agents.create(create("d")).await, Err(AgentFailure::NoFactory)));
}

#[tokio::test]
async fn no_agent_is_made_while_the_driver_is_ending() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    let (agents, recorder) = (Arc::clone(&world.agents), Arc::clone(&world.recorder));
    agent.scope().effects().push(move || async move {
        let late = agents.create(create("late")).await.err().map(|error| error.to_string());
        recorder.live_event(late.unwrap_or_default());
    });
    let recorder = Arc::clone(&world.recorder);
    world.teardown().await;
    assert_eq!(recorder.live()[3], "the start of agent \"late\" was given up");
}
