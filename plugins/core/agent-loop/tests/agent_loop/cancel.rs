//! Turns that are given up.

use std::sync::{Arc, Mutex};

use dsh_agent::{AgentPreStep, AgentStatus, AgentStatusChanged, KeepInbox, StatusChange, Target, Wake};
use dsh_runtime::event::{around, observer};
use dsh_runtime::{CancellationToken, ListenerError};
use dsh_session::catalogue::AbortCause;
use dsh_system_prompt::{Section, Text};
use dsh_testkit::Reply;

use crate::world::{World, check, user};

#[tokio::test]
async fn an_idle_agent_only_loses_its_input_next_step_first() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    agent.send(user("m1", "a turn"), Target::NextTurn, Wake::No).unwrap();
    agent.inject(user("m2", "a step")).unwrap();
    agent.cancel(AbortCause::User, KeepInbox::Yes);
    assert_eq!(agent.inbox().pending(Target::NextTurn).len(), 1);
    agent.cancel(AbortCause::User, KeepInbox::No);
    world.idle(&agent).await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        inbox next-step[0] +m2
        inbox next-step[0] -1 canceled
        inbox next-turn[0] -1 canceled
        ",
    );
    world.check_live(
        "
        session/created s
        agent/created s
        agent/session-start s startup
        agent/inbox/inserted m1
        agent/inbox/inserted m2
        agent/inbox/discarded m2
        agent/inbox/discarded m1
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn an_activity_that_is_cancelled_while_it_is_announced_opens_no_turn() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    let cancel = |StatusChange { agent, status }: &StatusChange| {
        if *status == AgentStatus::Running && agent.session().last_turn() == 0 && !agent.inbox().is_empty() {
            agent.cancel(AbortCause::User, KeepInbox::No);
        }
    };
    world.on(&world.topics.agent.status, observer::<AgentStatusChanged, _>(cancel));
    world.prompt(&agent, "m1", "go").await;
    world.check_log("inbox next-turn[0] +m1 \n inbox next-turn[0] -1 canceled");
    world.check_live(
        "
        session/created s
        agent/created s
        agent/session-start s startup
        agent/inbox/inserted m1
        agent/status s running
        agent/inbox/discarded m1
        agent/status s idle
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_that_is_cancelled_at_once_has_claimed_its_input() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    agent.followup(user("m2", "waits")).unwrap();
    agent.cancel(AbortCause::Parent, KeepInbox::No);
    world.idle(&agent).await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        inbox next-turn[0] +m2
        inbox next-turn[0] -1 canceled
        turn/end 1 aborted parent
        ",
    );
    assert!(!world.recorder.live().iter().any(|line| line.starts_with("agent/error")), "a cancellation is no failure");
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_can_be_cancelled_while_listeners_think_about_its_step() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    let listener = around::<AgentPreStep, _>((), |(), proposed, next| {
        Box::pin(async move {
            proposed.signal.cancelled().await;
            next.run(proposed).await
        })
    });
    world.on(&world.topics.agent.pre_step, listener);
    agent.followup(user("m1", "go")).unwrap();
    tokio::task::yield_now().await;
    agent.cancel(AbortCause::User, KeepInbox::No);
    world.idle(&agent).await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        turn/end 1 aborted user
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_step_that_is_cancelled_before_its_request_keeps_its_messages() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.on_request(|request| {
        request.agent.cancel(AbortCause::User, KeepInbox::No);
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        step/end 1.1
        turn/end 1 aborted user
        "#,
    );
    world.check_requests("");
    world.teardown().await;
}

#[tokio::test]
async fn a_request_that_is_cancelled_leaves_no_header_even_on_a_route_that_nobody_prepares() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.on_request(|request| {
        request.proposed.provider = "elsewhere".to_owned();
        request.agent.cancel(AbortCause::User, KeepInbox::No);
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    check("the end", &world.recorder.transcript("s")[4..], "user/message m1 \"go\" \n step/end 1.1 \n turn/end 1 aborted user");
    world.teardown().await;
}

#[tokio::test]
async fn a_step_that_is_cancelled_as_its_messages_are_recorded_composes_no_request() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    let composed = Arc::clone(&world.recorder);
    world.on_request(move |_| {
        composed.live_event("composed".to_owned());
        Ok(())
    });
    world.cancel_at(&agent, "user/message", KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 aborted user");
    assert!(!world.recorder.live().contains(&"composed".to_owned()));
    world.teardown().await;
}

#[tokio::test]
async fn the_first_cause_counts() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    agent.cancel(AbortCause::Parent, KeepInbox::No);
    agent.cancel(AbortCause::User, KeepInbox::No);
    world.idle(&agent).await;
    assert_eq!(world.last(), "turn/end 1 aborted parent");
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_is_cancelled_after_its_last_step_without_asking_whether_to_stop() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    let asked = Arc::clone(&world.recorder);
    world.on_turn_stopping(move |_, _| {
        asked.live_event("asked".to_owned());
        Ok(())
    });
    world.cancel_at(&agent, "step/end", KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 aborted user");
    assert!(!world.recorder.live().contains(&"asked".to_owned()));
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_is_cancelled_while_it_is_asked_whether_to_stop() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    world.on_turn_stopping(|stopping, _| {
        stopping.agent.cancel(AbortCause::User, KeepInbox::No);
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 aborted user");
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_that_is_cancelled_while_its_end_is_announced_starts_no_further_one() {
    let world = World::new([Reply::text("done"), Reply::text("more")]).await;
    let agent = world.agent("s").await;
    world.cancel_at(&agent, "turn/end 1", KeepInbox::Yes);
    agent.followup(user("m1", "go")).unwrap();
    agent.followup(user("m2", "waits")).unwrap();
    world.idle(&agent).await;
    assert_eq!(world.last(), "turn/end 1 completed");
    assert_eq!(agent.inbox().pending(Target::NextTurn).len(), 1);
    world.teardown().await;
}

#[tokio::test]
async fn what_fails_because_of_a_cancellation_is_no_failure() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| {
        proposed.agent.cancel(AbortCause::User, KeepInbox::No);
        Some(Err(ListenerError::new("interrupted")))
    });
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 aborted user");
    assert!(!world.recorder.live().iter().any(|line| line.starts_with("agent/error")));
    world.teardown().await;
}

#[tokio::test]
async fn whoever_cancels_the_signal_of_a_listener_does_not_end_the_turn() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| {
        proposed.signal.cancel();
        None
    });
    world.on_request(|request| {
        request.signal.cancel();
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 completed");
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_that_is_cancelled_as_it_opens_claims_nothing() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.cancel_at(&agent, "turn/start", KeepInbox::Yes);
    world.prompt(&agent, "m1", "go").await;
    world.check_log("inbox next-turn[0] +m1 \n turn/start 1 \n turn/end 1 aborted user");
    assert_eq!(agent.inbox().pending(Target::NextTurn).len(), 1);
    world.teardown().await;
}

#[tokio::test]
async fn listeners_are_not_asked_about_a_step_that_is_cancelled_while_its_prompt_is_assembled() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    let (cancelled, asked) = (Arc::clone(&agent), Arc::clone(&world.recorder));
    let text = Text::computed(move |_| {
        cancelled.cancel(AbortCause::User, KeepInbox::No);
        String::new()
    });
    world.prompt.section(None, Section::new("slow", 0.0, text), world.row.effects()).unwrap();
    world.on_pre_step(move |_| {
        asked.live_event("asked".to_owned());
        None
    });
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 aborted user");
    assert!(!world.recorder.live().contains(&"asked".to_owned()));
    world.teardown().await;
}

#[tokio::test]
async fn every_turn_has_a_signal_of_its_own() {
    let world = World::new([Reply::text("done"), Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    let signals: Arc<Mutex<Vec<CancellationToken>>> = Arc::default();
    let held = Arc::clone(&signals);
    world.on_pre_step(move |proposed| {
        held.lock().unwrap().push(proposed.signal.clone());
        None
    });
    agent.followup(user("m1", "one")).unwrap();
    agent.followup(user("m2", "two")).unwrap();
    world.recorder.until(r#"chunk text:"half""#).await;
    agent.cancel(AbortCause::User, KeepInbox::No);
    world.idle(&agent).await;
    let given_up: Vec<bool> = signals.lock().unwrap().iter().map(CancellationToken::is_cancelled).collect();
    assert_eq!(given_up, [false, true]);
    world.teardown().await;
}
