//! A model that follows a script.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dsh_llm::{AdapterCall, LlmAdapter, ModelInfo};
use dsh_message::{LlmFailure, RetryPolicy, StreamChunk};
use dsh_runtime::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};

use crate::Reply;
use crate::reply::End;

/// An adapter for the provider `scripted` that gives its replies in order and records what it is asked. Any model id resolves.
/// Past its last reply it fails with the code `SCRIPT_ENDED`.
pub struct ScriptedModel {
    replies: Mutex<VecDeque<Reply>>,
    calls: Mutex<Vec<AdapterCall>>,
    model: ModelInfo,
}

impl ScriptedModel {
    /// Id of its route.
    pub const PROVIDER: &'static str = "scripted";

    /// A model with a context window of 100 000 tokens.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Arc<Self> {
        Self::with_model(ModelInfo { context_window: Some(100_000), ..ModelInfo::default() }, replies)
    }

    /// A model of which this is known, whatever its id.
    #[must_use]
    pub fn with_model(model: ModelInfo, replies: impl IntoIterator<Item = Reply>) -> Arc<Self> {
        Arc::new(Self { replies: Mutex::new(replies.into_iter().collect()), calls: Mutex::default(), model })
    }

    /// Adds a reply at the end of the script.
    pub fn push(&self, reply: Reply) {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).push_back(reply);
    }

    /// What it was asked so far.
    #[must_use]
    pub fn calls(&self) -> Vec<AdapterCall> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl LlmAdapter for ScriptedModel {
    fn provider(&self) -> &str {
        Self::PROVIDER
    }

    /// The usual codes and number, without pauses.
    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy { initial_delay: Duration::ZERO, max_delay: Duration::ZERO, jitter: 0.0, ..RetryPolicy::default() }
    }

    fn list_models(&self) -> Vec<ModelInfo> {
        vec![ModelInfo { id: "scripted-model".to_owned(), ..self.model.clone() }]
    }

    fn resolve_model<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, LlmFailure>> {
        Box::pin(async { Ok(ModelInfo { id: model.to_owned(), ..self.model.clone() }) })
    }

    fn stream(&self, call: AdapterCall) -> BoxStream<'static, Result<StreamChunk, LlmFailure>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        let reply = self.replies.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let reply = reply.unwrap_or_else(|| Reply::failure(LlmFailure::new("SCRIPT_ENDED", "the script has no further reply")));
        let chunks = stream::iter(reply.chunks.into_iter().map(Ok));
        match reply.end {
            End::Closed => chunks.boxed(),
            End::Failure(failure) => chunks.chain(stream::iter([Err(failure)])).boxed(),
            End::Open => chunks.chain(stream::pending()).boxed(),
        }
    }
}
