//! A scripted adapter and a mounted registry.

use std::sync::Arc;

use dsh_llm::{AdapterCall, Inject, Llm, LlmAdapter, LlmAdaptersUpdated, LlmRequest, LlmStream, ModelInfo, RequestMessages};
use dsh_message::{FinishReason, LlmFailure, RetryPolicy, StreamChunk};
use dsh_runtime::{BoxFuture, CancellationToken, Invariants, Mounted, NoConfig, PluginContext, Surroundings, Topic, mount};
use dsh_session::CallConfig;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};

pub type Items = Vec<Result<StreamChunk, LlmFailure>>;

/// What the adapter does when it is asked to stream.
#[derive(Clone)]
pub enum Act {
    /// These items, then the end.
    Yield(Items),
    /// These items, then nothing more without an end.
    Hang(Items),
    /// A panic.
    Panic,
}

pub struct Fake {
    pub provider: &'static str,
    pub model: ModelInfo,
    pub act: Act,
}

impl Fake {
    pub fn new(act: Act) -> Self {
        let model = ModelInfo {
            id: "m".to_owned(),
            context_window: Some(1000),
            default_max_tokens: Some(50),
            reasoning_efforts: vec!["off".to_owned(), "high".to_owned()],
            default_reasoning_effort: Some("high".to_owned()),
            ..ModelInfo::default()
        };
        Self { provider: "p", model, act }
    }
}

impl LlmAdapter for Fake {
    fn provider(&self) -> &str {
        self.provider
    }
    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy::default()
    }
    fn list_models(&self) -> Vec<ModelInfo> {
        vec![self.model.clone()]
    }
    fn resolve_model<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, LlmFailure>> {
        Box::pin(async move {
            match model {
                "slow" => std::future::pending().await,
                "unknown" => Err(LlmFailure::new("UNKNOWN_MODEL", "no such model")),
                _ => Ok(self.model.clone()),
            }
        })
    }
    fn stream(&self, _call: AdapterCall) -> BoxStream<'static, Result<StreamChunk, LlmFailure>> {
        match self.act.clone() {
            Act::Yield(items) => stream::iter(items).boxed(),
            Act::Hang(items) => stream::iter(items).chain(stream::pending()).boxed(),
            Act::Panic => panic!("the test's adapter panics"),
        }
    }
}

/// A mounted registry with its events.
pub struct Setup {
    pub llm: Mounted<Llm>,
    pub calls: Topic<LlmStream>,
    pub updated: Topic<LlmAdaptersUpdated>,
}

pub async fn setup(invariants: Option<Arc<dyn Invariants>>) -> Setup {
    let (calls, updated) = (Topic::new(), Topic::new());
    let inject = Inject { invariants, stream: calls.dispatcher(), adapters_updated: updated.dispatcher() };
    let cx = PluginContext::new("llm", 0, Surroundings::of_process());
    Setup { llm: mount::<Llm>(cx, NoConfig {}, inject).await.unwrap(), calls, updated }
}

impl Setup {
    /// Registers the adapter for as long as the registry is mounted.
    pub fn register(&self, adapter: Fake) {
        self.llm.plugin().register(Arc::new(adapter), self.llm.context().effects()).unwrap();
    }

    /// The whole reply of a call.
    pub async fn reply(&self, signal: &CancellationToken) -> Vec<StreamChunk> {
        let llm = self.llm.plugin();
        let prepared = llm.prepare(config("p", "m"), signal).await.unwrap();
        llm.stream(prepared, request(signal)).await.unwrap().collect().await
    }
}

pub fn config(provider: &str, model: &str) -> CallConfig {
    CallConfig { provider: provider.to_owned(), model: model.to_owned(), ..CallConfig::default() }
}

pub fn request(signal: &CancellationToken) -> LlmRequest {
    LlmRequest {
        messages: RequestMessages::Auxiliary(Arc::from([])),
        system: None,
        tools: Arc::from([]),
        session: None,
        purpose: None,
        signal: signal.clone(),
    }
}

pub fn start(index: u64, block_type: &str) -> StreamChunk {
    StreamChunk::BlockStart { index, block_type: block_type.to_owned() }
}

pub fn text(index: u64, text: &str) -> StreamChunk {
    StreamChunk::TextDelta { index, text: text.into() }
}

pub fn finish(reason: FinishReason) -> StreamChunk {
    StreamChunk::Finish { reason, replay_state: None }
}

/// Code of the failure of a reply's last chunk, behind `error` or `aborted`.
pub fn ending(reply: &[StreamChunk]) -> String {
    match reply.last() {
        Some(StreamChunk::Finish { reason: FinishReason::Error { failure }, .. }) => format!("error {}", failure.code),
        Some(StreamChunk::Finish { reason: FinishReason::Aborted { failure }, .. }) => format!("aborted {}", failure.code),
        other => format!("{other:?}"),
    }
}
