//! The adapter: it chooses a step by the conversation and streams it.

use std::time::Duration;

use dsh_llm::{AdapterCall, LlmAdapter, ModelInfo};
use dsh_message::{LlmFailure, RetryPolicy, StreamChunk};
use dsh_runtime::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};

use crate::chunks;
use crate::conversation::Conversation;
use crate::script::{Script, Step};

/// Efforts that are accepted, and of no effect: those of the provider that a script stands in for in the shipped profiles.
const EFFORTS: [&str; 4] = ["off", "low", "high", "max"];
/// How much of a conversation's last input a failed expectation quotes, in characters.
const QUOTED: usize = 200;

/// Plays one provider.
pub(crate) struct ScriptAdapter {
    provider: String,
    script: Script,
}

impl ScriptAdapter {
    pub(crate) fn new(provider: String, script: Script) -> Self {
        Self { provider, script }
    }

    fn reply(&self, call: &AdapterCall) -> Result<(Duration, Vec<Result<StreamChunk, LlmFailure>>), LlmFailure> {
        let conversation = Conversation::of(call.request.messages.as_slice());
        let number = conversation.replies_in_turn();
        let step = self.script.step(number).ok_or_else(|| {
            let message = format!("the script has {} steps, and the turn asks for reply {}", self.script.steps.len(), number + 1);
            LlmFailure::new("SCRIPT_OVER", message)
        })?;
        meets(step, number, &conversation)?;
        Ok((Duration::from_millis(step.delay_ms), chunks::reply(step, &conversation)?))
    }
}

fn meets(step: &Step, number: usize, conversation: &Conversation<'_>) -> Result<(), LlmFailure> {
    let Some(expected) = &step.expect else { return Ok(()) };
    let found = conversation.last_input();
    if found.contains(expected.as_str()) {
        return Ok(());
    }
    let quoted: String = found.chars().take(QUOTED).collect();
    let message = format!("step {} of the script expects an input that contains {expected:?}, and found {quoted:?}", number + 1);
    Err(LlmFailure::new("SCRIPT_EXPECTATION", message))
}

impl LlmAdapter for ScriptAdapter {
    fn provider(&self) -> &str {
        &self.provider
    }

    fn retry_policy(&self) -> RetryPolicy {
        RetryPolicy::default()
    }

    fn list_models(&self) -> Vec<ModelInfo> {
        Vec::new()
    }

    fn resolve_model<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, LlmFailure>> {
        let reasoning_efforts = EFFORTS.map(str::to_owned).to_vec();
        Box::pin(async move { Ok(ModelInfo { id: model.to_owned(), reasoning_efforts, ..ModelInfo::default() }) })
    }

    fn stream(&self, call: AdapterCall) -> BoxStream<'static, Result<StreamChunk, LlmFailure>> {
        let (delay, chunks) = self.reply(&call).unwrap_or_else(|failure| (Duration::ZERO, vec![Err(failure)]));
        let wait = async move {
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            stream::iter(chunks)
        };
        stream::once(wait).flatten().boxed()
    }
}
