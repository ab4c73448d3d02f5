//! The checks of replies and routes, installed through a registry of checks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dsh_invariants::{Config, InvariantRegistry};
use dsh_llm::{AdapterCall, LlmAdapter, ModelInfo};
use dsh_message::{ContentBlock, FinishReason, LlmFailure, RetryPolicy, StreamChunk, TokenUsage};
use dsh_runtime::{BoxFuture, CancellationToken, EffectStack, Invariants, NoInject, PluginContext, Surroundings, mount};
use futures_util::stream::{BoxStream, StreamExt};

use crate::fake::{Act, Fake, Setup, ending, finish, setup, start, text};

async fn checked() -> Setup {
    let cx = PluginContext::new("invariants", 0, Surroundings::of_process());
    let config = Config { enabled: true, package_allowlist: Vec::new(), package_blocklist: Vec::new() };
    let registry = mount::<InvariantRegistry>(cx, config, NoInject {}).await.unwrap();
    setup(Some(registry.plugin() as Arc<dyn Invariants>)).await
}

async fn reply_of(chunks: Vec<StreamChunk>) -> Vec<StreamChunk> {
    let setup = checked().await;
    setup.register(Fake::new(Act::Yield(chunks.into_iter().map(Ok).collect())));
    setup.reply(&CancellationToken::new()).await
}

fn end(index: u64) -> StreamChunk {
    StreamChunk::BlockEnd { index, block: ContentBlock::text("a") }
}

#[tokio::test]
async fn replies_that_follow_the_grammar_pass() {
    let usage = StreamChunk::Usage { usage: TokenUsage::default() };
    let reopened = vec![start(0, "text"), text(0, "a"), end(0), start(0, "text"), end(0), usage, finish(FinishReason::Stop)];
    assert_eq!(reply_of(reopened.clone()).await, reopened);
    let cut = vec![start(3, "text"), finish(FinishReason::Error { failure: LlmFailure::new("SERVER", "x") })];
    assert_eq!(reply_of(cut.clone()).await, cut);
}

#[tokio::test]
async fn each_broken_rule_ends_the_reply() {
    let usage = || StreamChunk::Usage { usage: TokenUsage::default() };
    let reasoning = StreamChunk::ReasoningDelta { index: 0, text: "a".into() };
    let broken = [
        vec![start(0, "text"), start(0, "text")],
        vec![text(0, "a")],
        vec![start(0, "text"), reasoning],
        vec![start(0, "tool-call"), end(0)],
        vec![end(0)],
        vec![usage(), usage()],
        vec![start(0, "text"), finish(FinishReason::Stop)],
        vec![start(0, "text"), end(0)],
    ];
    for chunks in broken {
        let reply = reply_of(chunks.clone()).await;
        assert_eq!(ending(&reply), "error INVARIANT", "{chunks:?}");
        let Some(StreamChunk::Finish { reason: FinishReason::Error { failure }, .. }) = reply.last() else { panic!("{reply:?}") };
        assert!(failure.message.starts_with("dsh-llm: "), "{failure}");
    }
}

/// Changes the id of its provider once it is registered.
struct Fickle(AtomicBool);

impl LlmAdapter for Fickle {
    fn provider(&self) -> &str {
        if self.0.swap(true, Ordering::SeqCst) { "other" } else { "fickle" }
    }
    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy::default()
    }
    fn list_models(&self) -> Vec<ModelInfo> {
        Vec::new()
    }
    fn resolve_model<'a>(&'a self, _model: &'a str) -> BoxFuture<'a, Result<ModelInfo, LlmFailure>> {
        Box::pin(async { Ok(ModelInfo::default()) })
    }
    fn stream(&self, _call: AdapterCall) -> BoxStream<'static, Result<StreamChunk, LlmFailure>> {
        futures_util::stream::empty().boxed()
    }
}

#[tokio::test]
async fn an_adapter_that_renames_itself_is_refused() {
    let setup = checked().await;
    let effects = EffectStack::new("adapter");
    let refused = setup.llm.plugin().register(Arc::new(Fickle(AtomicBool::new(false))), &effects).unwrap_err();
    assert_eq!(refused.code(), "INVARIANT");
    effects.unwind().await;
    assert!(!setup.llm.plugin().has("fickle"));
}
