//! A call with its defaults filled in.

use std::sync::Arc;
use std::time::Duration;

use dsh_message::{LlmFailure, RetryPolicy};
use dsh_session::{AdapterDefaults, CallConfig};

use crate::{LlmAdapter, ModelInfo};

/// A call that was resolved against the adapter of its moment. It is used once, by [`crate::Llm::stream`].
pub struct PreparedCall {
    /// Route and settings, defaults filled in.
    pub config: CallConfig,
    /// Which settings the adapter filled in.
    pub adapter_defaults: AdapterDefaults,
    /// Tokens that request and reply share, when known.
    pub context_window: Option<u64>,
    /// When the call may be repeated.
    pub retry_policy: RetryPolicy,
    pub(crate) adapter: Option<Arc<dyn LlmAdapter>>,
}

impl PreparedCall {
    /// A call on a route that no adapter serves: settings as proposed, no defaults, never repeated. A listener of `llm/stream`
    /// may serve it; otherwise its reply is the failure `NO_ADAPTER`.
    #[must_use]
    pub fn unrouted(config: CallConfig) -> Self {
        let retry_policy =
            RetryPolicy { max_retries: Some(0), codes: Vec::new(), initial_delay: Duration::ZERO, max_delay: Duration::ZERO, jitter: 0.0 };
        Self { config, adapter_defaults: AdapterDefaults::default(), context_window: None, retry_policy, adapter: None }
    }

    /// Fills the defaults of `model` in; what the caller stated wins.
    pub(crate) fn resolve(mut config: CallConfig, model: ModelInfo, adapter: Arc<dyn LlmAdapter>) -> Result<Self, LlmFailure> {
        check(&model)?;
        if let Some(effort) =
            config.reasoning_effort.as_deref().filter(|effort| !model.reasoning_efforts.iter().any(|known| known == effort))
        {
            let known = if model.reasoning_efforts.is_empty() { "none".to_owned() } else { model.reasoning_efforts.join(", ") };
            let message = format!("model `{}` of `{}` has no reasoning effort `{effort}`; it has: {known}", config.model, config.provider);
            return Err(LlmFailure::new("UNSUPPORTED_REASONING_EFFORT", message));
        }
        let adapter_defaults = AdapterDefaults {
            reasoning_effort: config.reasoning_effort.is_none() && model.default_reasoning_effort.is_some(),
            max_tokens: config.max_tokens.is_none() && model.default_max_tokens.is_some(),
        };
        config.reasoning_effort = config.reasoning_effort.or(model.default_reasoning_effort);
        config.max_tokens = config.max_tokens.or(model.default_max_tokens);
        let retry_policy = adapter.retry_policy();
        Ok(Self { config, adapter_defaults, context_window: model.context_window, retry_policy, adapter: Some(adapter) })
    }
}

/// Checks what an adapter says of a model.
fn check(model: &ModelInfo) -> Result<(), LlmFailure> {
    let fault = |code: &str, what: &str| Err(LlmFailure::new(code, format!("the adapter's data of model `{}` is wrong: {what}", model.id)));
    if model.context_window == Some(0) {
        return fault("INVALID_MODEL_CONTEXT", "the context window is 0");
    }
    if model.default_max_tokens == Some(0) {
        return fault("INVALID_MODEL_MAX_TOKENS", "the default ceiling of output is 0");
    }
    match &model.default_reasoning_effort {
        Some(effort) if !model.reasoning_efforts.contains(effort) => {
            fault("INVALID_MODEL_REASONING", "the default reasoning effort is not among the efforts")
        }
        _ => Ok(()),
    }
}
