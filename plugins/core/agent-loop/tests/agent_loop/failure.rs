//! Turns in which something fails.

use std::sync::{Arc, Mutex};

use dsh_agent::{AgentStatus, Target};
use dsh_runtime::ListenerError;
use dsh_runtime::event::observer;
use dsh_session::catalogue::StepStart;
use dsh_session::{Appended, SessionEventAppended};
use dsh_system_prompt::Section;
use dsh_testkit::Reply;

use crate::world::{World, check, user};

#[tokio::test]
async fn a_failing_listener_of_a_proposed_step_ends_the_turn_and_the_claimed_input_is_gone() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    world.on_pre_step(|proposed| (proposed.turn == 1).then(|| Err(ListenerError::new("no disk"))));
    agent.followup(user("m1", "go")).unwrap();
    agent.followup(user("m2", "waits")).unwrap();
    world.idle(&agent).await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        inbox next-turn[0] +m2
        turn/end 1 error UNKNOWN: no disk
        ",
    );
    check("the errors", &world.errors(), "agent/error s 1.0 UNKNOWN: no disk");
    assert_eq!(agent.status(), AgentStatus::Idle);
    world.prompt(&agent, "m3", "go on").await;
    assert!(world.recorder.transcript("s").contains(&r#"user/message m2 "waits""#.to_owned()));
    world.teardown().await;
}

#[tokio::test]
async fn a_panicking_listener_ends_the_turn_and_nothing_else() {
    let world = World::new([Reply::text("other"), Reply::text("done")]).await;
    let (agent, other) = (world.agent("s").await, world.agent("other").await);
    world.on_pre_step(|proposed| {
        assert!(&*proposed.agent.id().0 != "s" || proposed.turn != 1, "a fault of a plugin");
        None
    });
    agent.followup(user("m1", "go")).unwrap();
    other.followup(user("m1", "go")).unwrap();
    world.idle(&agent).await;
    world.idle(&other).await;
    world.check_log(
        "
        inbox next-turn[0] +m1
        turn/start 1
        inbox next-turn[0] -1
        turn/end 1 error UNKNOWN: a plugin panicked; see the diagnostics on stderr
        ",
    );
    assert_eq!(world.recorder.transcript("other").last().unwrap(), "turn/end 1 completed");
    world.prompt(&agent, "m2", "again").await;
    assert_eq!(world.last(), "turn/end 2 completed");
    world.teardown().await;
}

#[tokio::test]
async fn a_panic_inside_a_step_closes_the_step_too() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.on_request(|_| panic!("a fault of a plugin"));
    world.prompt(&agent, "m1", "go").await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        step/end 1.1
        turn/end 1 error UNKNOWN: a plugin panicked; see the diagnostics on stderr
        "#,
    );
    check("the errors", &world.errors(), "agent/error s 1.1 UNKNOWN: a plugin panicked; see the diagnostics on stderr");
    world.teardown().await;
}

#[tokio::test]
async fn a_prompt_that_cannot_be_assembled_ends_the_turn() {
    let world = World::new([]).await;
    world.prompt.section(None, Section::new("broken", 0.0, "{{nobody}}"), world.row.effects()).unwrap();
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    world.check_last_turn(
        "
        turn/start 1
        inbox next-turn[0] -1
        turn/end 1 error UNKNOWN: the section `broken` uses `{{nobody}}`, which no plugin registers
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_failing_listener_of_the_stopping_turn_ends_it() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    world.on_turn_stopping(|_, _| Err(ListenerError::new("the hook broke")));
    world.prompt(&agent, "m1", "go").await;
    let log = world.recorder.transcript("s");
    check("the end", &log[log.len() - 2..], "step/end 1.1 \n turn/end 1 error UNKNOWN: the hook broke");
    world.teardown().await;
}

#[tokio::test]
async fn a_failure_is_told_after_the_log_has_the_end_of_its_turn_and_before_the_agent_is_idle() {
    let world = World::new([Reply::failure(dsh_message::LlmFailure::new("SERVER", "overloaded"))]).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    let everything = world.recorder.everything();
    let end = ["step/end 1.1", "turn/end 1 error SERVER: overloaded", "agent/error s 1.1 SERVER: overloaded", "agent/status s idle"];
    assert_eq!(everything[everything.len() - 4..], end);
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_whose_start_cannot_be_logged_is_reported_and_does_not_run() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.keep_out("turn/start");
    world.prompt(&agent, "m1", "go").await;
    world.check_log("inbox next-turn[0] +m1");
    check("the errors", &world.errors(), "agent/error s 1.0 UNKNOWN: `turn/start` was refused: not this one");
    assert_eq!(agent.status(), AgentStatus::Idle);
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_whose_end_cannot_be_logged_is_reported_and_nothing_follows() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    world.keep_out("turn/end");
    agent.followup(user("m1", "go")).unwrap();
    agent.followup(user("m2", "waits")).unwrap();
    world.idle(&agent).await;
    assert_eq!(world.last(), "step/end 1.1");
    check("the errors", &world.errors(), "agent/error s 1.1 UNKNOWN: `turn/end` was refused: not this one");
    assert_eq!((agent.status(), agent.inbox().pending(Target::NextTurn).len()), (AgentStatus::Idle, 1));
    world.teardown().await;
}

#[tokio::test]
async fn listeners_of_the_log_that_fail_panic_or_append_change_nothing() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    let refused: Arc<Mutex<Vec<String>>> = Arc::default();
    let appends = Arc::clone(&refused);
    let append = move |Appended { session, event }: &Appended| {
        if event.is::<StepStart>() {
            appends.lock().unwrap().push(session.append(&StepStart { turn: 1, step: 2 }).unwrap_err().to_string());
        }
    };
    let fail = |_: &Appended| Err::<(), _>(ListenerError::new("never"));
    let panic = |_: &Appended| -> () { panic!("a fault of a plugin") };
    world.on(&world.topics.session.appended, observer::<SessionEventAppended, _>(append));
    world.on(&world.topics.session.appended, observer::<SessionEventAppended, _>(fail));
    world.on(&world.topics.session.appended, observer::<SessionEventAppended, _>(panic));
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 completed");
    check("the refusals", &refused.lock().unwrap(), "`step/start` was appended while another event of session `s` was being published");
    world.teardown().await;
}

#[tokio::test]
async fn an_event_that_breaks_the_order_of_the_log_is_kept_out() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    let before = agent.session().length();
    let refused = agent.session().append(&StepStart { turn: 1, step: 2 }).unwrap_err().to_string();
    assert!(refused.contains("dsh-session"), "{refused}");
    assert_eq!(agent.session().length(), before);
    world.teardown().await;
}
