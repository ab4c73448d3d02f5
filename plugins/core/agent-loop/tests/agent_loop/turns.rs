//! Turns that run to their end, and how input comes into them.

use std::sync::Arc;

use dsh_agent::{AgentStatus, AgentStatusChanged, StatusChange};
use dsh_message::{FinishReason, StreamChunk};
use dsh_runtime::event::observer;
use dsh_testkit::Reply;

use crate::world::{World, check, user};

#[tokio::test]
async fn a_prompt_is_a_turn_of_one_step() {
    let world = World::new([Reply::text("hello")]).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "hi").await;
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "hi"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"hello" end usage finish:stop
        assistant/message 1.1 "hello" (100+10 tokens) <- A
        step/end 1.1
        turn/end 1 completed
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
        agent/status s idle
        ",
    );
    world.check_requests(r#"scripted/m: m1 "hi""#);
    let request = &world.model.calls()[0].request;
    assert_eq!((request.session.as_ref(), request.purpose), (Some(agent.id()), None));
    world.teardown().await;
}

#[tokio::test]
async fn what_a_listener_starts_for_a_message_is_logged_before_the_request() {
    let world = World::new([Reply::text("done"), Reply::text("seen")]).await;
    let agent = world.agent("s").await;
    let titled = Arc::clone(&agent);
    world.at("user/message m1", move || drop(tokio::spawn(async move { titled.inject(user("title", "a title")).unwrap() })));
    world.prompt(&agent, "m1", "go").await;
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        inbox next-step[0] +title
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"done" end usage finish:stop
        assistant/message 1.1 "done" (100+10 tokens) <- A
        step/end 1.1
        inbox next-step[0] -1
        step/start 1.2
        user/message title "a title"
        chunks B start text:"seen" end usage finish:stop
        assistant/message 1.2 "seen" (100+10 tokens) <- B
        step/end 1.2
        turn/end 1 completed
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_waking_message_opens_its_turn_before_the_sender_goes_on() {
    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "hi")).unwrap();
    assert_eq!(agent.status(), AgentStatus::Running);
    world.check_log("inbox next-turn[0] +m1 \n turn/start 1 \n inbox next-turn[0] -1");
    // The first step has claimed its input, so this joins the second.
    agent.inject(user("m2", "by the way")).unwrap();
    world.idle(&agent).await;
    world.check_requests(
        r#"
        scripted/m: m1 "hi"
        scripted/m: m1 "hi", "one", m2 "by the way"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn two_followups_of_an_idle_agent_are_two_turns_of_one_activity() {
    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "first")).unwrap();
    agent.followup(user("m2", "second")).unwrap();
    world.idle(&agent).await;
    world.check_log(
        r#"
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        inbox next-turn[0] +m2
        step/start 1.1
        user/message m1 "first"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"one" end usage finish:stop
        assistant/message 1.1 "one" (100+10 tokens) <- A
        step/end 1.1
        turn/end 1 completed
        turn/start 2
        inbox next-turn[0] -1
        step/start 2.1
        user/message m2 "second"
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
        agent/inbox/claimed m2 turn 2
        agent/status s idle
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn injected_input_waits_and_comes_before_the_prompt_that_wakes() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    agent.inject(user("m1", "context")).unwrap();
    world.idle(&agent).await;
    assert_eq!(agent.status(), AgentStatus::Idle);
    world.check_log("inbox next-step[0] +m1");
    world.prompt(&agent, "m2", "go").await;
    world.check_log(
        r#"
        inbox next-step[0] +m1
        inbox next-turn[0] +m2
        turn/start 1
        inbox next-step[0] -1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "context"
        user/message m2 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"done" end usage finish:stop
        assistant/message 1.1 "done" (100+10 tokens) <- A
        step/end 1.1
        turn/end 1 completed
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn steering_an_idle_agent_opens_a_turn_of_the_next_step_input_alone() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    agent.steer(user("m1", "go")).unwrap();
    world.idle(&agent).await;
    world.check_log(
        r#"
        inbox next-step[0] +m1
        turn/start 1
        inbox next-step[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"done" end usage finish:stop
        assistant/message 1.1 "done" (100+10 tokens) <- A
        step/end 1.1
        turn/end 1 completed
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_reply_without_content_is_recorded_and_left_out_of_the_history() {
    let nothing = StreamChunk::Finish { reason: FinishReason::Stop, replay_state: None };
    let world = World::new([Reply::chunks(vec![nothing]), Reply::text("  "), Reply::text("done")]).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "one").await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "one"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A finish:stop
        assistant/message 1.1 (nothing) <- A
        step/end 1.1
        turn/end 1 completed
        "#,
    );
    world.prompt(&agent, "m2", "two").await;
    world.prompt(&agent, "m3", "three").await;
    world.check_requests(
        r#"
        scripted/m: m1 "one"
        scripted/m: m1 "one", m2 "two"
        scripted/m: m1 "one", m2 "two", "  ", m3 "three"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn agents_work_side_by_side_and_their_listeners_hear_them_alone() {
    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    let (agent, other) = (world.agent("s").await, world.agent("other").await);
    let heard = Arc::clone(&world.recorder);
    let hear = move |StatusChange { agent, status }: &StatusChange| heard.live_event(format!("{} is {}", agent.id(), status.as_str()));
    let (scope, listener) = (agent.scope(), observer::<AgentStatusChanged, _>(hear));
    world.topics.agent.status.listen(world.key(), Some(scope.id()), listener, scope.effects());
    agent.followup(user("m1", "go")).unwrap();
    other.followup(user("m1", "go")).unwrap();
    world.idle(&agent).await;
    world.idle(&other).await;
    let heard: Vec<String> = world.recorder.live().into_iter().filter(|line| line.contains(" is ")).collect();
    check("what the listener of the scope heard", &heard, "s is running \n s is idle");
    for id in ["s", "other"] {
        assert_eq!(world.recorder.transcript(id).last().unwrap(), "turn/end 1 completed");
    }
    world.teardown().await;
}

#[tokio::test]
async fn whoever_hears_that_an_agent_is_idle_may_prompt_it_again() {
    let world = World::new([Reply::text("one"), Reply::text("two")]).await;
    let agent = world.agent("s").await;
    let again = |StatusChange { agent, status }: &StatusChange| {
        if *status == AgentStatus::Idle && agent.session().last_turn() == 1 {
            agent.followup(user("m2", "again")).unwrap();
        }
    };
    world.on(&world.topics.agent.status, observer::<AgentStatusChanged, _>(again));
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 2 completed");
    let statuses: Vec<String> = world.recorder.live().into_iter().filter(|line| line.starts_with("agent/status")).collect();
    check(
        "the statuses",
        &statuses,
        "
        agent/status s running
        agent/status s idle
        agent/status s running
        agent/status s idle
        ",
    );
    world.teardown().await;
}
