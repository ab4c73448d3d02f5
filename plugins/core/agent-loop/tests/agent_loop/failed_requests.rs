//! Requests that cannot be made, and calls of the model that fail.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use dsh_agent::{AgentOptions, RequestErrorAction, Target};
use dsh_llm::{ChunkStream, LlmStream};
use dsh_message::{FinishReason, LlmFailure, StreamChunk};
use dsh_runtime::ListenerError;
use dsh_runtime::event::around;
use dsh_session::SurfaceOp;
use dsh_session::catalogue::UserMessage;
use dsh_testkit::Reply;
use futures_util::{StreamExt, stream};

use crate::world::{World, check, create, user};

#[tokio::test]
async fn a_failing_listener_of_the_request_ends_the_turn() {
    let world = World::new([]).await;
    let agent = world.agent("s").await;
    world.on_request(|_| Err(ListenerError::new("no route today")));
    world.prompt(&agent, "m1", "go").await;
    assert_eq!(world.last(), "turn/end 1 error UNKNOWN: no route today");
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
    check("the errors", &world.errors(), "agent/error s 1.1 SERVER: overloaded");
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
        let op = SurfaceOp::Replace { start: shadowed[0], end: shadowed[0] };
        let summary = UserMessage(user("summary", "short"));
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
    assert_eq!(world.last(), "turn/end 1 error UNKNOWN: recovery broke");
    world.teardown().await;
}

#[tokio::test]
async fn a_request_without_a_route_is_not_sent_and_leaves_no_header() {
    for (provider, missing) in [(None, "provider"), (Some("scripted".to_owned()), "model")] {
        let world = World::new([]).await;
        let mut request = create("s");
        request.options = AgentOptions { provider, ..AgentOptions::default() };
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
    assert_eq!(world.last(), "turn/end 2 completed");
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
    assert!(world.last().starts_with("turn/end 1 error INVARIANT: dsh-llm:"));
    world.teardown().await;
}
