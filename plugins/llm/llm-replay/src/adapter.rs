//! The adapter of one route that the recording names.

use std::sync::Arc;

use dsh_llm::{AdapterCall, LlmAdapter, ModelInfo};
use dsh_message::{LlmFailure, RetryPolicy, StreamChunk};
use dsh_runtime::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};

use crate::replay::Replay;

/// Plays one provider.
pub(crate) struct ReplayAdapter {
    pub(crate) provider: String,
    pub(crate) replay: Arc<Replay>,
}

impl LlmAdapter for ReplayAdapter {
    fn provider(&self) -> &str {
        &self.provider
    }

    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy::default()
    }

    fn list_models(&self) -> Vec<ModelInfo> {
        self.replay.recording.models(&self.provider)
    }

    fn resolve_model<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, LlmFailure>> {
        let known = self.list_models().into_iter().find(|known| known.id == model);
        let unknown = || ModelInfo { id: model.to_owned(), ..ModelInfo::default() };
        Box::pin(async move { Ok(known.unwrap_or_else(unknown)) })
    }

    fn stream(&self, call: AdapterCall) -> BoxStream<'static, Result<StreamChunk, LlmFailure>> {
        stream::iter(self.replay.reply(&call).unwrap_or_else(|failure| vec![Err(failure)])).boxed()
    }
}
