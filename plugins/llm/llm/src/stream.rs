//! The events of model calls.

use dsh_message::StreamChunk;
use dsh_runtime::{ListenerError, event};
use dsh_session::CallConfig;
use futures_util::stream::BoxStream;

use crate::LlmRequest;

/// A reply as it comes. Dropping it gives the call up.
pub type ChunkStream = BoxStream<'static, StreamChunk>;

/// A call about to be made. Listeners read it; only the registry makes one.
pub struct StreamCall {
    pub(crate) config: CallConfig,
    pub(crate) request: LlmRequest,
}

impl StreamCall {
    /// Route and settings.
    #[must_use]
    pub fn config(&self) -> &CallConfig {
        &self.config
    }

    /// What the model is sent.
    #[must_use]
    pub fn request(&self) -> &LlmRequest {
        &self.request
    }
}

/// Around a model call. A listener may act before it, watch or rewrite the chunks of its reply, or serve the call itself. Its
/// failure reaches the caller as it is; the failures of adapters never do, they end the reply as a `finish` chunk.
#[event(name = "llm/stream", mode = waterfall, payload = StreamCall, out = Result<ChunkStream, ListenerError>)]
pub struct LlmStream;

/// A provider's adapter was registered or taken away.
#[event(name = "llm/adapters-updated", mode = emit, payload = ())]
pub struct LlmAdaptersUpdated;
