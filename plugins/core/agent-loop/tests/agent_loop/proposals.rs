//! Steps that are proposed: what they begin with, and whether they are entered.

use std::sync::{Arc, Mutex};

use dsh_agent::{AgentInboxInserted, AgentStatus, InboxMessage, PreStepDecision};
use dsh_runtime::event::observer;
use dsh_system_prompt::Context;
use dsh_testkit::Reply;

use crate::world::{World, check, user};

#[tokio::test]
async fn input_for_the_next_step_of_a_running_turn_keeps_the_turn_open() {
    let world = World::new([Reply::text("one"), Reply::text("two"), Reply::text("three")]).await;
    let agent = world.agent("s").await;
    let gate = world.hold_replies();
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until("chunk text").await;
    agent.followup(user("m2", "later")).unwrap();
    agent.steer(user("m3", "left")).unwrap();
    agent.inject(user("m4", "note")).unwrap();
    (0..3).for_each(|_| gate.open());
    world.idle(&agent).await;
    world.check_requests(
        r#"
        scripted/m: m1 "go"
        scripted/m: m1 "go", "one", m3 "left", m4 "note"
        scripted/m: m1 "go", "one", m3 "left", m4 "note", "two", m2 "later"
        "#,
    );
    world.check_last_turn(
        r#"
        turn/start 2
        inbox next-turn[0] -1
        step/start 2.1
        user/message m2 "later"
        chunks C start text:"three" end usage finish:stop
        assistant/message 2.1 "three" (100+10 tokens) <- C
        step/end 2.1
        turn/end 2 completed
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn input_that_comes_while_a_request_is_composed_joins_the_next_step() {
    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    let agent = world.agent("s").await;
    world.on_request(|request| {
        if request.step == 1 {
            request.agent.inject(user("m2", "by the way")).unwrap();
        }
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    world.check_requests(
        r#"
        scripted/m: m1 "go"
        scripted/m: m1 "go", "one", m2 "by the way"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_waking_message_that_is_gone_again_opens_an_empty_turn() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    let gone = |inserted: &InboxMessage| inserted.agent.inbox().clear().unwrap();
    world.on(&world.topics.agent.inserted, observer::<AgentInboxInserted, _>(gone));
    world.prompt(&agent, "m1", "go").await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        inbox next-turn[0] -1 canceled
        turn/start 1
        turn/end 1 completed
        ",
    );
    world.check_live(
        "
        session/created s
        agent/created s
        agent/session-start s startup
        agent/inbox/inserted m1
        agent/inbox/discarded m1
        agent/status s running
        agent/status s idle
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_step_that_is_entered_with_nothing_ends_the_turn_and_leaves_the_queue() {
    let world = World::new([Reply::text("done"), Reply::text("again")]).await;
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| (proposed.turn == 1).then(|| Ok(PreStepDecision::Enter(Vec::new()))));
    agent.followup(user("m1", "dropped")).unwrap();
    agent.followup(user("m2", "waits")).unwrap();
    world.idle(&agent).await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        inbox next-turn[0] +m2
        turn/end 1 completed
        ",
    );
    // What waited comes first.
    world.prompt(&agent, "m3", "go").await;
    world.check_requests(
        r#"
        scripted/m: m2 "waits"
        scripted/m: m2 "waits", "done", m3 "go"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_rejected_prompt_is_gone_and_the_queue_waits() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| (proposed.turn == 1).then_some(Ok(PreStepDecision::Reject)));
    agent.followup(user("m1", "no")).unwrap();
    agent.followup(user("m2", "waits")).unwrap();
    world.idle(&agent).await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        inbox next-turn[0] +m2
        turn/end 1 blocked
        ",
    );
    assert_eq!(agent.status(), AgentStatus::Idle);
    agent.steer(user("m3", "go")).unwrap();
    world.idle(&agent).await;
    world.check_requests(r#"scripted/m: m3 "go", m2 "waits""#);
    world.teardown().await;
}

#[tokio::test]
async fn a_later_step_can_be_rejected_too() {
    let world = World::new([Reply::text("one")]).await;
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| (proposed.step == 2).then_some(Ok(PreStepDecision::Reject)));
    agent.followup(user("m1", "go")).unwrap();
    agent.steer(user("m2", "no")).unwrap();
    world.idle(&agent).await;
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        inbox next-step[0] +m2
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"one" end usage finish:stop
        assistant/message 1.1 "one" (100+10 tokens) <- A
        step/end 1.1
        inbox next-step[0] -1
        turn/end 1 blocked
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_later_step_without_messages_closes_the_turn_as_it_stood() {
    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| (proposed.step == 2).then(|| Ok(PreStepDecision::Enter(Vec::new()))));
    agent.followup(user("m1", "go")).unwrap();
    agent.steer(user("m2", "dropped")).unwrap();
    agent.followup(user("m3", "next")).unwrap();
    world.idle(&agent).await;
    world.check_requests(
        r#"
        scripted/m: m1 "go"
        scripted/m: m1 "go", "one", m3 "next"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn listeners_see_what_was_claimed_and_add_messages_around_it() {
    let world = World::new([Reply::text("done")]).await;
    world.prompt.context(None, Context::new("place", 0.0, "/work"), world.row.effects()).unwrap();
    let agent = world.agent("s").await;
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&seen);
    world.on_pre_step(move |proposed| {
        let ids: Vec<&str> = proposed.messages.iter().map(|message| &*message.id.0).collect();
        heard.lock().unwrap().push(format!("{}.{} {ids:?}", proposed.turn, proposed.step));
        proposed.messages.insert(0, user("before", "first"));
        proposed.messages.push(user("after", "last"));
        None
    });
    agent.inject(user("m1", "context")).unwrap();
    world.prompt(&agent, "m2", "go").await;
    check("what listeners saw", &seen.lock().unwrap(), r#"1.1 ["m1", "m2"]"#);
    world.check_requests(r#"scripted/m: before "first", m1 "context", m2 "go", after "last", snapshot place="/work""#);
    world.teardown().await;
}
