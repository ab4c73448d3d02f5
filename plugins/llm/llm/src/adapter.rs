//! What a provider of models implements.

use dsh_message::{LlmFailure, RetryPolicy, StreamChunk};
use dsh_runtime::BoxFuture;
use dsh_session::CallConfig;
use futures_util::stream::BoxStream;

use crate::LlmRequest;

/// What an adapter knows of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelInfo {
    /// Model id.
    pub id: String,
    /// Label for people.
    pub name: Option<String>,
    /// Detail of the label.
    pub description: Option<String>,
    /// Tokens that request and reply share; positive.
    pub context_window: Option<u64>,
    /// Ceiling of output tokens for a call that states none; positive.
    pub default_max_tokens: Option<u64>,
    /// Reasoning efforts that a call may ask for, in the provider's words.
    pub reasoning_efforts: Vec<String>,
    /// The one for a call that states none; an entry of `reasoning_efforts`.
    pub default_reasoning_effort: Option<String>,
}

/// One call, as an adapter gets it: settings with all defaults filled in, and the request.
#[derive(Clone, Debug)]
pub struct AdapterCall {
    /// Route and settings.
    pub config: CallConfig,
    /// What the model is sent.
    pub request: LlmRequest,
}

/// Speaks to one provider. It is registered with [`crate::Llm::register`].
pub trait LlmAdapter: Send + Sync {
    /// Id of the provider's route; it never changes.
    fn provider(&self) -> &str;

    /// When failed calls may be repeated; each prepared call takes the policy of its moment.
    fn retry_policy(&self) -> RetryPolicy;

    /// Models to offer. The list is advice: other ids may resolve too.
    fn list_models(&self) -> Vec<ModelInfo>;

    /// What is known of a model. The future is dropped when the caller gives up.
    fn resolve_model<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, LlmFailure>>;

    /// Makes the call. The reply follows the grammar of chunks (`finish` once, last); an error ends it. Key and settings are
    /// those of the moment of this function's call. Dropping the stream gives the call up at once; the registry does so when
    /// the request's signal is cancelled, so an adapter need not watch it.
    fn stream(&self, call: AdapterCall) -> BoxStream<'static, Result<StreamChunk, LlmFailure>>;
}
