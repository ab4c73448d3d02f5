//! Model calls beside the conversation.

use std::sync::Arc;

use dsh_llm::{LlmRequest, PreparedCall, Purpose, RequestMessages};
use dsh_message::{ContentBlock, FinishReason, Message, MessageSource, SessionId, StreamChunk};
use dsh_runtime::{CancellationToken, ListenerError};
use dsh_session::CallConfig;
use dsh_testkit::{Reply, ScriptedModel};
use futures_util::StreamExt;

use crate::world::{Plan, World};

fn request(session: Option<&str>, signal: &CancellationToken) -> LlmRequest {
    let message = Arc::new(Message::user("m1".into(), vec![ContentBlock::text("a title, please")], MessageSource::User));
    LlmRequest {
        messages: RequestMessages::Auxiliary([message].into()),
        system: None,
        tools: [].into(),
        session: session.map(SessionId::from),
        purpose: Some(Purpose::SessionTitle),
        signal: signal.clone(),
    }
}

async fn prepared(world: &World) -> PreparedCall {
    let config = CallConfig { provider: ScriptedModel::PROVIDER.to_owned(), model: "m".to_owned(), ..CallConfig::default() };
    world.llm.prepare(config, &CancellationToken::new()).await.unwrap()
}

/// Makes a call. Yields the end of its reply.
async fn call(world: &World, session: Option<&str>) -> Result<FinishReason, ListenerError> {
    let reply = world.llm.stream(prepared(world).await, request(session, &CancellationToken::new())).await?;
    match reply.collect::<Vec<_>>().await.pop() {
        Some(StreamChunk::Finish { reason, .. }) => Ok(reason),
        other => panic!("the reply ends with {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_for_a_live_session_has_a_checkpoint() {
    let world = World::new([Reply::text("a title")], []).await;
    world.agent().await;
    assert_eq!(call(&world, Some("s")).await.unwrap(), FinishReason::Stop);
    world.check("flush 1 of s\nthe model is asked");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_live_session_has_none() {
    let world = World::new([Reply::text("a title"), Reply::text("a title")], []).await;
    assert_eq!(call(&world, None).await.unwrap(), FinishReason::Stop);
    assert_eq!(call(&world, Some("stored")).await.unwrap(), FinishReason::Stop);
    world.check("the model is asked\nthe model is asked");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn its_failure_reaches_the_caller_and_the_model_is_not_asked() {
    let world = World::new([], [(1, Plan::Fail)]).await;
    world.agent().await;
    assert_eq!(call(&world, Some("s")).await.unwrap_err().to_string(), "the disk is full");
    world.check("flush 1 of s");
    world.teardown().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_given_up_in_its_checkpoint_ends_as_aborted() {
    let world = World::new([], [(1, Plan::Hang)]).await;
    world.agent().await;
    let signal = CancellationToken::new();
    let (llm, call) = (Arc::clone(&world.llm), prepared(&world).await);
    let asked = request(Some("s"), &signal);
    let reply = tokio::spawn(async move { llm.stream(call, asked).await.unwrap().collect::<Vec<_>>().await });
    world.settle().await;
    signal.cancel();
    let reply = reply.await.unwrap();
    assert!(
        matches!(&reply[..], [StreamChunk::Finish { reason: FinishReason::Aborted { failure }, .. }] if failure.code == "ABORTED"),
        "{reply:?}"
    );
    world.check("flush 1 of s");
    world.teardown().await;
}
