//! Listeners that are asked before a turn ends.

use std::sync::{Arc, Mutex};

use dsh_agent::{PreStepDecision, RequestErrorAction};
use dsh_message::LlmFailure;
use dsh_testkit::{Reply, tool_spec};

use crate::world::{World, calls, check, echo, user};

/// Notes when listeners are asked, among the live events.
fn note_stopping(world: &World) {
    let recorder = Arc::clone(&world.recorder);
    world.on_turn_stopping(move |stopping, time| {
        recorder.live_event(format!("asked {time} in turn {}", stopping.turn));
        Ok(())
    });
}

fn asked(world: &World) -> Vec<String> {
    world.recorder.live().into_iter().filter(|line| line.starts_with("asked")).collect()
}

#[tokio::test]
async fn whoever_steers_gets_one_more_step() {
    let world = World::new([Reply::text("done"), Reply::text("really done")]).await;
    let agent = world.agent("s").await;
    world.on_turn_stopping(|stopping, time| {
        if time == 1 {
            stopping.agent.steer(user("hook", "run the tests")).unwrap();
        }
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
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A start text:"done" end usage finish:stop
        assistant/message 1.1 "done" (100+10 tokens) <- A
        step/end 1.1
        inbox next-step[0] +hook
        inbox next-step[0] -1
        step/start 1.2
        user/message hook "run the tests"
        chunks B start text:"really done" end usage finish:stop
        assistant/message 1.2 "really done" (100+10 tokens) <- B
        step/end 1.2
        turn/end 1 completed
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn quiet_input_keeps_the_turn_open_too_whichever_listener_adds_it() {
    let world = World::new([Reply::text("done"), Reply::text("really done")]).await;
    let agent = world.agent("s").await;
    world.on_turn_stopping(|stopping, time| {
        if time == 1 {
            stopping.agent.inject(user("note", "one more thing")).unwrap();
        }
        Ok(())
    });
    note_stopping(&world);
    world.prompt(&agent, "m1", "go").await;
    check("the times", &asked(&world), "asked 1 in turn 1 \n asked 2 in turn 1");
    assert_eq!(world.model.calls().len(), 2);
    world.teardown().await;
}

#[tokio::test]
async fn nobody_is_asked_while_the_model_is_owed_something_or_input_waits() {
    let world = World::new([calls(["echo"]), Reply::text("done"), Reply::text("steered")]).await;
    world.tool(tool_spec("echo"), echo());
    let agent = world.agent("s").await;
    note_stopping(&world);
    let gate = world.hold_replies();
    gate.open();
    agent.followup(user("m1", "go")).unwrap();
    world.recorder.until(r#"chunk text:"done""#).await;
    agent.steer(user("m2", "left")).unwrap();
    gate.open();
    gate.open();
    world.idle(&agent).await;
    assert_eq!(world.model.calls().len(), 3);
    check("the times", &asked(&world), "asked 1 in turn 1");
    world.teardown().await;
}

#[tokio::test]
async fn nobody_is_asked_about_turns_that_end_otherwise() {
    let world = World::new([Reply::failure(LlmFailure::new("SERVER", "no"))]).await;
    let agent = world.agent("s").await;
    note_stopping(&world);
    world.on_pre_step(|proposed| match proposed.turn {
        1 => Some(Ok(PreStepDecision::Reject)),
        2 => Some(Ok(PreStepDecision::Enter(Vec::new()))),
        _ => None,
    });
    world.on_request_error(|_| Ok(RequestErrorAction::Fail));
    for id in ["rejected", "empty", "failed"] {
        world.prompt(&agent, id, "go").await;
    }
    check("the times", &asked(&world), "");
    world.teardown().await;
}

#[tokio::test]
async fn listeners_are_asked_one_after_the_other() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    let order: Arc<Mutex<Vec<String>>> = Arc::default();
    for name in ["first", "second"] {
        let order = Arc::clone(&order);
        world.on_turn_stopping(move |_, _| {
            order.lock().unwrap().push(name.to_owned());
            Ok(())
        });
    }
    world.prompt(&agent, "m1", "go").await;
    check("the order", &order.lock().unwrap(), "first \n second");
    world.teardown().await;
}
