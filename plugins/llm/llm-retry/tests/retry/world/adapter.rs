//! A scripted model with retry policies of the test's own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use dsh_llm::{AdapterCall, LlmAdapter, ModelInfo};
use dsh_message::{LlmFailure, RetryPolicy, StreamChunk};
use dsh_runtime::BoxFuture;
use dsh_testkit::{Reply, ScriptedModel};
use futures_util::stream::BoxStream;

pub struct Adapter {
    script: Arc<ScriptedModel>,
    policies: Mutex<VecDeque<RetryPolicy>>,
}

impl Adapter {
    /// Each call takes the next policy; the last one stays.
    pub fn new(policies: impl IntoIterator<Item = RetryPolicy>, replies: impl IntoIterator<Item = Reply>) -> Arc<Self> {
        Arc::new(Self { script: ScriptedModel::new(replies), policies: Mutex::new(policies.into_iter().collect()) })
    }

    /// How often it was called.
    pub fn calls(&self) -> usize {
        self.script.calls().len()
    }
}

impl LlmAdapter for Adapter {
    fn provider(&self) -> &str {
        self.script.provider()
    }

    fn retry_policy(&self) -> RetryPolicy {
        let mut policies = self.policies.lock().unwrap();
        if policies.len() > 1 { policies.pop_front().unwrap() } else { policies[0].clone() }
    }

    fn list_models(&self) -> Vec<ModelInfo> {
        self.script.list_models()
    }

    fn resolve_model<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, LlmFailure>> {
        self.script.resolve_model(model)
    }

    fn stream(&self, call: AdapterCall) -> BoxStream<'static, Result<StreamChunk, LlmFailure>> {
        self.script.stream(call)
    }
}
