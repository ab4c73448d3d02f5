//! Turns in which something fails.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use dsh_agent::{AgentStatus, RequestErrorAction, Target};
use dsh_llm::{ChunkStream, LlmStream};
use dsh_message::{FinishReason, LlmFailure, StreamChunk};
use dsh_runtime::ListenerError;
use dsh_runtime::event::{around, observer};
use dsh_session::catalogue::StepStart;
use dsh_session::{Appended, SessionEventAppended};
use dsh_system_prompt::Section;
use dsh_testkit::Reply;
use futures_util::{StreamExt, stream};

use crate::world::{World, check, create, user};

/// The errors that were announced.
fn errors(world: &World) -> Vec<String> {
    world.recorder.live().into_iter().filter(|line| line.starts_with("agent/error")).collect()
}

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
    check("the errors", &errors(&world), "agent/error s 1.0 UNKNOWN: no disk");
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 2 completed");
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
    check("the errors", &errors(&world), "agent/error s 1.1 UNKNOWN: a plugin panicked; see the diagnostics on stderr");
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
async fn a_failing_listener_of_the_request_ends_the_turn() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.on_request(|_| Err(ListenerError::new("no route today")));
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 error UNKNOWN: no route today");
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
async fn a_failed_call_ends_the_turn_with_its_record_and_the_queue_waits() {
    let failure = LlmFailure { status: Some(529), ..LlmFailure::new("SERVER", "overloaded") };
    let world = World::new([Reply::failure(failure.clone()), Reply::text("done")]).await;
    let agent = world.agent("s").await;
    agent.followup(user("m1", "go")).unwrap();
    agent.followup(user("m2", "waits")).unwrap();
    world.idle(&agent).await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        inbox next-turn[0] +m2
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A finish:error(SERVER)
        step/end 1.1
        turn/end 1 error SERVER: overloaded
        "#,
    );
    let end = world.recorder.events("s").pop().unwrap();
    assert_eq!(end.data.get(), r#"{"turn":1,"reason":{"kind":"error","error":{"message":"overloaded","code":"SERVER","status":529}}}"#);
    check("the errors", &errors(&world), "agent/error s 1.1 SERVER: overloaded");
    assert_eq!(agent.inbox().pending(Target::NextTurn).len(), 1);
    world.teardown().await;
}

#[tokio::test]
async fn a_provider_that_gives_up_by_itself_has_failed() {
    let failure = LlmFailure::new("ABORTED", "the provider hung up");
    let chunks = vec![StreamChunk::Finish { reason: FinishReason::Aborted { failure }, replay_state: None }];
    let world = World::new([Reply::chunks(chunks)]).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    let log = world.recorder.transcript("s");
    check(
        "the end",
        &log[log.len() - 3..],
        "
        chunks A finish:aborted(ABORTED)
        step/end 1.1
        turn/end 1 error ABORTED: the provider hung up
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_call_is_repeated_in_the_same_step_as_often_as_listeners_ask() {
    let slow = || Reply::failure(LlmFailure::new("RATE_LIMIT", "slow down"));
    let world = World::new([slow(), slow(), Reply::text("done")]).await;
    let agent = world.agent("s").await;
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&asked);
    world.on_request_error(move |failed| {
        let retries = failed.retry_policy.max_retries;
        heard.lock().unwrap().push(format!("{}.{} {} {} {retries:?}", failed.turn, failed.step, failed.provider, failed.failure));
        Ok(RequestErrorAction::Retry)
    });
    world.prompt(&agent, "m1", "go").await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A finish:error(RATE_LIMIT)
        chunks B finish:error(RATE_LIMIT)
        chunks C start text:"done" end usage finish:stop
        assistant/message 1.1 "done" (100+10 tokens) <- C
        step/end 1.1
        turn/end 1 completed
        "#,
    );
    let line = "1.1 scripted RATE_LIMIT: slow down Some(5)";
    check("what listeners were asked", &asked.lock().unwrap(), &format!("{line}\n{line}"));
    world.teardown().await;
}

#[tokio::test]
async fn a_repeated_call_may_have_another_header_and_a_shorter_history() {
    let world = World::new([Reply::failure(LlmFailure::new("SERVER", "no")), Reply::text("done")]).await;
    let agent = world.agent("s").await;
    let attempts = AtomicUsize::new(0);
    world.on_request(move |request| {
        request.proposed.temperature = (attempts.fetch_add(1, Ordering::SeqCst) == 1).then_some(0.5);
        Ok(())
    });
    world.on_request_error(|failed| {
        let session = failed.agent.session();
        let shadowed = session.surface_seqs();
        let op = dsh_session::SurfaceOp::Replace { start: shadowed[0], end: shadowed[0] };
        let summary = dsh_session::catalogue::UserMessage(user("summary", "short"));
        session.append_message(&summary, op, Some(shadowed)).unwrap();
        Ok(RequestErrorAction::Retry)
    });
    world.prompt(&agent, "m1", "go").await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        chunks A finish:error(SERVER)
        user/message summary "short" <- [4]
        request/header change scripted/m temperature=0.5
        chunks B start text:"done" end usage finish:stop
        assistant/message 1.1 "done" (100+10 tokens) <- B
        step/end 1.1
        turn/end 1 completed
        "#,
    );
    world.check_requests(
        r#"
        scripted/m: m1 "go"
        scripted/m temperature=0.5: summary "short"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_failing_listener_of_a_failed_call_ends_the_turn_with_its_own_failure() {
    let world = World::new([Reply::failure(LlmFailure::new("SERVER", "no"))]).await;
    let agent = world.agent("s").await;
    world.on_request_error(|_| Err(ListenerError::new("recovery broke")));
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 error UNKNOWN: recovery broke");
    world.teardown().await;
}

#[tokio::test]
async fn a_request_without_a_route_is_not_sent_and_leaves_no_header() {
    for (provider, missing) in [(None, "provider"), (Some("scripted".to_owned()), "model")] {
        let world = World::new([]).await;
        let mut request = create("s");
        request.options = dsh_agent::AgentOptions { provider, ..dsh_agent::AgentOptions::default() };
        let agent = world.create(request).await.unwrap();
        world.prompt(&agent, "m1", "go").await;
        world.check_last_turn(&format!(
            r#"
            turn/start 1
            inbox next-turn[0] -1
            step/start 1.1
            user/message m1 "go"
            step/end 1.1
            turn/end 1 error UNKNOWN: the request names no {missing}
            "#
        ));
        world.teardown().await;
    }
}

#[tokio::test]
async fn settings_that_the_model_lacks_are_refused_before_a_header_is_written() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.on_request(|request| {
        request.proposed.reasoning_effort = Some("extreme".to_owned());
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    let log = world.recorder.transcript("s");
    assert!(!log.iter().any(|line| line.starts_with("request/header")), "{log:?}");
    assert!(log.last().unwrap().starts_with("turn/end 1 error UNSUPPORTED_REASONING_EFFORT:"), "{log:?}");
    world.teardown().await;
}

#[tokio::test]
async fn a_route_without_an_adapter_fails_unless_a_listener_of_the_stream_serves_it() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.on_request(|request| {
        request.proposed.provider = "elsewhere".to_owned();
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial elsewhere/m
        request/context elsewhere/m -
        chunks A finish:error(NO_ADAPTER)
        step/end 1.1
        turn/end 1 error NO_ADAPTER: no adapter serves the provider `elsewhere`
        "#,
    );
    let serve = around::<LlmStream, _>((), |(), _call, next| {
        let finish = StreamChunk::Finish { reason: FinishReason::Stop, replay_state: None };
        let reply: ChunkStream = stream::iter([finish]).boxed();
        Box::pin(async move { next.decide(Ok(reply)) })
    });
    world.on(&world.topics.llm.stream, serve);
    world.prompt(&agent, "m2", "again").await;
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 2 completed");
    world.teardown().await;
}

#[tokio::test]
async fn a_failing_listener_of_the_stream_ends_the_turn_without_asking_for_another_attempt() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    let fail = around::<LlmStream, _>((), |(), _call, next| Box::pin(async move { next.decide(Err(ListenerError::new("no flush"))) }));
    world.on(&world.topics.llm.stream, fail);
    world.on_request_error(|_| Ok(RequestErrorAction::Retry));
    world.prompt(&agent, "m1", "go").await;
    world.check_last_turn(
        r#"
        turn/start 1
        inbox next-turn[0] -1
        step/start 1.1
        user/message m1 "go"
        request/header initial scripted/m
        request/context scripted/m 100000
        step/end 1.1
        turn/end 1 error UNKNOWN: no flush
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_reply_that_breaks_the_grammar_of_chunks_fails_the_call() {
    let chunks = vec![StreamChunk::TextDelta { index: 0, text: "no start".into() }];
    let world = World::new([Reply::chunks(chunks)]).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    assert!(world.recorder.transcript("s").last().unwrap().starts_with("turn/end 1 error INVARIANT: dsh-llm:"));
    world.teardown().await;
}

#[tokio::test]
async fn a_turn_whose_start_cannot_be_logged_is_reported_and_does_not_run() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.keep_out("turn/start");
    world.prompt(&agent, "m1", "go").await;
    world.check_log("inbox next-turn[0] +m1");
    check("the errors", &errors(&world), "agent/error s 1.0 UNKNOWN: `turn/start` was refused: not this one");
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "step/end 1.1");
    check("the errors", &errors(&world), "agent/error s 1.1 UNKNOWN: `turn/end` was refused: not this one");
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
    assert_eq!(world.recorder.transcript("s").last().unwrap(), "turn/end 1 completed");
    check(
        "the refusals",
        &refused.lock().unwrap(),
        "`step/start` was appended while another event of session `s` was being published",
    );
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
