//! Turns that are given up.

use std::sync::Arc;

use dsh_agent::{Agent, AgentInboxInserted, AgentPreStep, AgentStatus, AgentStatusChanged, InboxMessage, KeepInbox, StatusChange, Target, Wake};
use dsh_message::{CallId, ContentBlock, StreamChunk, TokenUsage};
use dsh_runtime::ListenerError;
use dsh_runtime::event::{around, observer};
use dsh_session::catalogue::AbortCause;
use dsh_testkit::Reply;

use crate::world::{World, user};

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

/// The last turn when its reply is given up after `reply` has begun.
async fn check_given_up(reply: Reply, at: &str, expected: &str) {
    let world = World::new([reply]).await;
    let agent = world.agent("s").await;
    world.cancel_at(&agent, at, KeepInbox::No);
    world.prompt(&agent, "m1", "go").await;
    let common = r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        "#;
    world.check_last_turn(&format!("{common}{expected}\nstep/end 1.1\nturn/end 1 aborted user"));
    world.teardown().await;
}

fn text_block(index: u64, text: &str) -> Vec<StreamChunk> {
    vec![
        StreamChunk::BlockStart { index, block_type: "text".to_owned() },
        StreamChunk::TextDelta { index, text: text.into() },
        StreamChunk::BlockEnd { index, block: ContentBlock::text(text) },
    ]
}

#[tokio::test]
async fn what_was_visible_of_a_reply_is_kept() {
    check_given_up(Reply::text("half"), "chunk text", "chunks A start text:\"half\" \n assistant/message 1.1 interrupted \"half\" <- A").await;
}

#[tokio::test]
async fn a_silent_reply_can_be_given_up() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    agent.cancel(AbortCause::Hook { reason: "enough".to_owned() }, KeepInbox::No);
    world.idle(&agent).await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"half"
        assistant/message 1.1 interrupted "half" <- A
        step/end 1.1
        turn/end 1 aborted hook enough
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_blank_beginning_is_not_kept() {
    check_given_up(Reply::unfinished(" \n"), "chunk text", r#"chunks A start text:" \n""#).await;
}

#[tokio::test]
async fn half_a_tool_call_is_not_kept_but_the_text_before_it_is() {
    let call = [
        StreamChunk::BlockStart { index: 1, block_type: "tool-call".to_owned() },
        StreamChunk::ToolCallDelta { index: 1, id: CallId::from("call_1"), name: Some("echo".into()), arguments_delta: "{\"a".into() },
    ];
    let chunks = text_block(0, "I look").into_iter().chain(call).collect();
    let expected = r#"
        chunks A start text:"I look" end start call:call_1
        assistant/message 1.1 interrupted "I look" <- A
        "#;
    check_given_up(Reply::chunks(chunks), "chunk call", expected).await;
}

#[tokio::test]
async fn the_usage_of_a_reply_that_was_given_up_is_kept() {
    let usage = StreamChunk::Usage { usage: TokenUsage { input_tokens: 7, output_tokens: 3, ..TokenUsage::default() } };
    let chunks = text_block(0, "all").into_iter().chain([usage]).collect();
    let expected = r#"
        chunks A start text:"all" end usage
        assistant/message 1.1 interrupted "all" (7+3 tokens) <- A
        "#;
    check_given_up(Reply::chunks(chunks), "chunk usage", expected).await;
}

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

#[tokio::test]
async fn the_first_cause_counts() {
    let world = World::new([Reply::unfinished("half")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    agent.cancel(AbortCause::Parent, KeepInbox::No);
    agent.cancel(AbortCause::User, KeepInbox::No);
    world.idle(&agent).await;
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 aborted parent");
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
    world.idle(&agent).await;
    assert!(agent.inbox().is_empty());
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 2 completed");
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 aborted user");
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 aborted user");
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 completed");
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 aborted user");
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 completed");
    world.teardown().await;
}
