//! Every reply ends with one `finish`; listeners stand around the call.

use std::sync::Arc;

use dsh_llm::{LlmStream, PreparedCall, StreamCall};
use dsh_message::{FinishReason, LlmFailure, StreamChunk};
use dsh_runtime::event::Around;
use dsh_runtime::{BoxFuture, CancellationToken, Flow, ListenerError, Next, Position};
use futures_util::{StreamExt, stream};

use crate::fake::{Act, Fake, config, ending, finish, request, setup, start, text};

async fn reply_of(act: Act) -> Vec<StreamChunk> {
    let setup = setup(None).await;
    setup.register(Fake::new(act));
    setup.reply(&CancellationToken::new()).await
}

#[tokio::test]
async fn a_failure_of_the_adapter_becomes_the_last_chunk() {
    let failure = LlmFailure { status: Some(429), provider_retry_after_ms: Some(10), ..LlmFailure::new("RATE_LIMIT", "slow down") };
    let reply = reply_of(Act::Yield(vec![Ok(start(0, "text")), Err(failure.clone()), Ok(text(0, "late"))])).await;
    assert_eq!(reply, [start(0, "text"), finish(FinishReason::Error { failure })]);
}

#[tokio::test]
async fn what_the_log_does_not_admit_is_left_out() {
    let odd = LlmFailure { status: Some(42), provider_retry_after_ms: Some(0), request_id: Some(String::new()), ..LlmFailure::new("", "") };
    let reply = reply_of(Act::Yield(vec![Err(odd)])).await;
    assert_eq!(reply, [finish(FinishReason::Error { failure: LlmFailure::new("UNKNOWN", "the model call failed") })]);
}

#[tokio::test]
async fn a_panic_and_a_given_up_call_end_the_reply_too() {
    assert_eq!(ending(&reply_of(Act::Panic).await), "error UNKNOWN");
    assert_eq!(ending(&reply_of(Act::Yield(vec![Err(LlmFailure::new("ABORTED", "x"))])).await), "aborted ABORTED");
}

#[tokio::test]
async fn nothing_is_asked_of_an_adapter_after_finish() {
    let reply = reply_of(Act::Hang(vec![Ok(finish(FinishReason::Stop))])).await;
    assert_eq!(reply, [finish(FinishReason::Stop)]);
}

#[tokio::test]
async fn cancelling_the_signal_ends_the_reply_at_once() {
    let setup = setup(None).await;
    setup.register(Fake::new(Act::Hang(vec![Ok(start(0, "text")), Ok(text(0, "a"))])));
    let (llm, signal) = (setup.llm.plugin(), CancellationToken::new());
    let prepared = llm.prepare(config("p", "m"), &signal).await.unwrap();
    let mut reply = llm.stream(prepared, request(&signal)).await.unwrap();
    assert_eq!(reply.next().await, Some(start(0, "text")));
    signal.cancel();
    let rest: Vec<_> = reply.collect().await;
    assert_eq!((rest.len(), ending(&rest).as_str()), (1, "aborted ABORTED"));
}

#[tokio::test]
async fn a_call_goes_to_the_adapter_that_it_was_prepared_for() {
    let setup = setup(None).await;
    setup.register(Fake::new(Act::Panic));
    let (llm, signal) = (setup.llm.plugin(), CancellationToken::new());
    let unrouted = llm.stream(PreparedCall::unrouted(config("q", "m")), request(&signal)).await.unwrap();
    assert_eq!(ending(&unrouted.collect::<Vec<_>>().await), "error NO_ADAPTER");
    let mut prepared = llm.prepare(config("p", "m"), &signal).await.unwrap();
    prepared.config.provider = "q".to_owned();
    let other = llm.stream(prepared, request(&signal)).await.unwrap();
    assert_eq!(ending(&other.collect::<Vec<_>>().await), "error INVALID_PREPARED_CALL");
}

/// Serves the model `served` itself, refuses `refused`, delegates the rest.
struct Middle;

impl Around<LlmStream> for Middle {
    fn call<'a>(&'a self, call: &'a mut StreamCall, next: Next<'a, LlmStream>) -> BoxFuture<'a, Flow<LlmStream>> {
        Box::pin(async move {
            match call.config().model.as_str() {
                "served" => next.decide(Ok(stream::iter([finish(FinishReason::MaxTokens)]).boxed())),
                "refused" => next.decide(Err(ListenerError::new("not now"))),
                _ => next.run(call).await,
            }
        })
    }
}

#[tokio::test]
async fn a_listener_may_serve_a_call_and_its_failure_stays_a_failure() {
    let setup = setup(None).await;
    setup.calls.listen((Position::Row, 1), None, Arc::new(Middle), setup.llm.context().effects());
    setup.register(Fake::new(Act::Yield(vec![Ok(finish(FinishReason::Stop))])));
    let (llm, signal) = (setup.llm.plugin(), CancellationToken::new());
    // A route without adapter is served as well.
    let served = llm.stream(PreparedCall::unrouted(config("q", "served")), request(&signal)).await.unwrap();
    assert_eq!(served.collect::<Vec<_>>().await, [finish(FinishReason::MaxTokens)]);
    let refused = llm.stream(PreparedCall::unrouted(config("q", "refused")), request(&signal)).await;
    assert_eq!(refused.err().map(|error| error.to_string()).as_deref(), Some("not now"));
    assert_eq!(setup.reply(&signal).await, [finish(FinishReason::Stop)]);
}
