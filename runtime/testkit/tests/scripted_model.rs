//! The scripted model behind the real registry of models.

use std::sync::Arc;

use dsh_llm::{Assembler, Inject, Llm, LlmRequest, RequestMessages};
use dsh_message::{ContentBlock, FinishReason, LlmFailure, StreamChunk};
use dsh_runtime::{CancellationToken, Dispatcher, NoConfig};
use dsh_session::CallConfig;
use dsh_testkit::{EveryInvariant, Harness, Reply, ScriptedModel};
use futures_util::StreamExt;
use serde_json::json;

async fn registry(harness: &mut Harness, model: &Arc<ScriptedModel>) -> Arc<Llm> {
    let inject =
        Inject { invariants: Some(Arc::new(EveryInvariant)), stream: Dispatcher::detached(), adapters_updated: Dispatcher::detached() };
    let llm = harness.mount::<Llm>("llm", NoConfig {}, inject).await.plugin();
    let row = harness.context("model").await;
    llm.register(Arc::clone(model) as _, row.effects()).unwrap();
    llm
}

fn request(signal: &CancellationToken) -> LlmRequest {
    let messages = RequestMessages::Auxiliary(Arc::from([]));
    LlmRequest { messages, system: Some("be brief".into()), tools: Arc::from([]), session: None, purpose: None, signal: signal.clone() }
}

async fn ask(llm: &Llm, signal: &CancellationToken) -> dsh_llm::ChunkStream {
    let config = CallConfig { provider: ScriptedModel::PROVIDER.to_owned(), model: "any".to_owned(), ..CallConfig::default() };
    let prepared = llm.prepare(config, signal).await.unwrap();
    llm.stream(prepared, request(signal)).await.unwrap()
}

async fn reply(llm: &Llm) -> (Vec<ContentBlock>, FinishReason) {
    let chunks: Vec<StreamChunk> = ask(llm, &CancellationToken::new()).await.collect().await;
    let mut assembler = Assembler::new();
    chunks.iter().for_each(|chunk| assembler.push(chunk).unwrap());
    let assembled = assembler.finish();
    (assembled.content, assembled.finish)
}

#[tokio::test]
async fn replies_come_in_order_and_requests_are_recorded() {
    let mut harness = Harness::new();
    let failure = LlmFailure::new("RATE_LIMIT", "slow down");
    let calls = [("bash", json!({ "command": "ls" })), ("read", json!({}))];
    let model = ScriptedModel::new([Reply::text("hi"), Reply::tools(calls), Reply::failure(failure.clone()), Reply::cut_off("on and on")]);
    let llm = registry(&mut harness, &model).await;

    assert_eq!(reply(&llm).await, (vec![ContentBlock::text("hi")], FinishReason::Stop));
    let call =
        |id: &str, name: &str, arguments: &str| ContentBlock::ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() };
    let calls = vec![call("call_1", "bash", r#"{"command":"ls"}"#), call("call_2", "read", "{}")];
    assert_eq!(reply(&llm).await, (calls, FinishReason::ToolCalls));
    assert_eq!(reply(&llm).await, (Vec::new(), FinishReason::Error { failure }));
    assert_eq!(reply(&llm).await, (vec![ContentBlock::text("on and on")], FinishReason::MaxTokens));
    let (_, past) = reply(&llm).await;
    assert!(matches!(past, FinishReason::Error { failure } if failure.code == "SCRIPT_ENDED"));

    let asked = model.calls();
    assert_eq!(asked.len(), 5);
    assert_eq!((asked[0].config.model.as_str(), asked[0].request.system.clone()), ("any", Some("be brief".into())));
    harness.teardown().await;
}

#[tokio::test]
async fn an_unfinished_reply_ends_when_the_caller_gives_up() {
    let mut harness = Harness::new();
    let model = ScriptedModel::new([Reply::unfinished("half")]);
    let llm = registry(&mut harness, &model).await;
    let signal = CancellationToken::new();
    let mut chunks = ask(&llm, &signal).await;
    assert!(matches!(chunks.next().await, Some(StreamChunk::BlockStart { .. })));
    assert!(matches!(chunks.next().await, Some(StreamChunk::TextDelta { .. })));
    signal.cancel();
    let last = chunks.next().await;
    assert!(matches!(last, Some(StreamChunk::Finish { reason: FinishReason::Aborted { .. }, .. })), "{last:?}");
    harness.teardown().await;
}
