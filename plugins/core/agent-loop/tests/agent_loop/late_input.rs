//! Input that waits while a turn is given up, and input that comes afterwards.

use std::sync::Arc;

use dsh_agent::{Agent, AgentInboxInserted, AgentStatus, InboxMessage, KeepInbox, Target};
use dsh_runtime::event::observer;
use dsh_session::catalogue::AbortCause;
use dsh_testkit::Reply;

use crate::world::{World, user};

#[tokio::test]
async fn a_cancellation_drops_what_is_queued() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    agent.followup(user("m2", "later")).unwrap();
    agent.inject(user("m3", "note")).unwrap();
    world.recorder.until("chunk text").await;
    agent.cancel(AbortCause::User, KeepInbox::No);
    world.idle(&agent).await;
    assert!(agent.inbox().is_empty());
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        inbox next-turn[0] +m2
        inbox next-step[0] +m3
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"half"
        inbox next-step[0] -1 canceled
        inbox next-turn[0] -1 canceled
        assistant/message 1.1 interrupted "half" <- A
        step/end 1.1
        turn/end 1 aborted user
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn input_that_is_kept_waits_for_the_next_waking_message() {
    let world = World::new([Reply::unfinished("half"), Reply::text("two"), Reply::text("three")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    agent.followup(user("m2", "later")).unwrap();
    world.recorder.until("chunk text").await;
    agent.cancel(AbortCause::User, KeepInbox::Yes);
    world.idle(&agent).await;
    assert_eq!(agent.inbox().pending(Target::NextTurn).len(), 1);
    world.prompt(&agent, "m3", "again").await;
    world.check_requests(
        r#"
        scripted/m: m1 "go"
        scripted/m: m1 "go", "half", m2 "later"
        scripted/m: m1 "go", "half", m2 "later", "two", m3 "again"
        "#,
    );
    world.teardown().await;
}

/// An agent whose reply hangs, given up a moment ago and not unwound yet.
async fn unwinding(world: &World) -> Arc<dyn Agent> {
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    agent.cancel(AbortCause::User, KeepInbox::No);
    assert_eq!(agent.status(), AgentStatus::Running);
    agent
}

#[tokio::test]
async fn a_waking_message_after_a_cancellation_becomes_the_next_turn() {
    let world = World::new([Reply::unfinished("half"), Reply::text("two")]).await;
    let agent = unwinding(&world).await;
    agent.steer(user("m2", "instead")).unwrap();
    world.idle(&agent).await;
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"half"
        inbox next-turn[0] +m2
        assistant/message 1.1 interrupted "half" <- A
        step/end 1.1
        turn/end 1 aborted user
        turn/start 2
        inbox next-turn[0] -1
        step/start 2.1
        user/message m2 "instead"
        chunks B start text:"two" end usage finish:stop
        assistant/message 2.1 "two" (100+10 tokens) <- B
        step/end 2.1
        turn/end 2 completed
        "#,
    );
    world.check_live(
        "
        session/created s
        agent/created s
        agent/session-start s startup
        agent/inbox/inserted m1
        agent/status s running
        agent/inbox/claimed m1 turn 1
        agent/inbox/inserted m2
        agent/status s idle
        agent/status s running
        agent/inbox/claimed m2 turn 2
        agent/status s idle
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn quiet_input_after_a_cancellation_goes_where_it_was_sent_and_waits() {
    let world = World::new([Reply::unfinished("half"), Reply::text("two")]).await;
    let agent = unwinding(&world).await;
    agent.inject(user("m2", "note")).unwrap();
    world.idle(&agent).await;
    assert_eq!(agent.inbox().pending(Target::NextStep).len(), 1);
    world.prompt(&agent, "m3", "again").await;
    world.check_requests(
        r#"
        scripted/m: m1 "go"
        scripted/m: m1 "go", "half", m2 "note", m3 "again"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_second_cancellation_drops_the_late_message_and_its_wake() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = unwinding(&world).await;
    agent.followup(user("m2", "instead")).unwrap();
    agent.cancel(AbortCause::User, KeepInbox::No);
    agent.inject(user("m3", "note")).unwrap();
    world.idle(&agent).await;
    assert_eq!(agent.inbox().pending(Target::NextStep).len(), 1);
    assert_eq!(agent.session().last_turn(), 1);
    world.teardown().await;
}

#[tokio::test]
async fn a_second_cancellation_that_keeps_the_inbox_keeps_the_wake_too() {
    let world = World::new([Reply::unfinished("half"), Reply::text("two")]).await;
    let agent = unwinding(&world).await;
    agent.followup(user("m2", "instead")).unwrap();
    agent.cancel(AbortCause::User, KeepInbox::Yes);
    world.idle(&agent).await;
    assert_eq!(world.last(), "turn/end 2 completed");
    world.teardown().await;
}

#[tokio::test]
async fn a_message_that_met_a_live_turn_is_not_replayed_when_its_observer_cancels() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    let cancel = |InboxMessage { agent, message }: &InboxMessage| {
        if &*message.id.0 == "m2" {
            agent.cancel(AbortCause::User, KeepInbox::Yes);
        }
    };
    world.on(&world.topics.agent.inserted, observer::<AgentInboxInserted, _>(cancel));
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    agent.followup(user("m2", "waits")).unwrap();
    world.idle(&agent).await;
    assert_eq!(agent.inbox().pending(Target::NextTurn).len(), 1);
    assert_eq!(agent.session().last_turn(), 1);
    world.teardown().await;
}

#[tokio::test]
async fn a_late_message_that_is_gone_again_wakes_nobody() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = unwinding(&world).await;
    agent.followup(user("m2", "instead")).unwrap();
    agent.inbox().clear().unwrap();
    world.idle(&agent).await;
    assert_eq!(world.last(), "turn/end 1 aborted user");
    world.teardown().await;
}

#[tokio::test]
async fn a_waking_message_waits_when_the_turn_was_given_up_for_good() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    agent.cancel(AbortCause::Disposed, KeepInbox::No);
    agent.steer(user("m2", "instead")).unwrap();
    world.idle(&agent).await;
    assert_eq!(world.last(), "turn/end 1 aborted disposed");
    assert_eq!(agent.inbox().pending(Target::NextTurn).len(), 1);
    world.teardown().await;
}
