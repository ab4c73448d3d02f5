//! From an adapter's stream to a reply: failures, panics and cancellation become its last chunk.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use dsh_message::{FinishReason, LlmFailure, StreamChunk};
use dsh_runtime::event::Base;
use dsh_runtime::{BoxFuture, CancellationToken, ListenerError};
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};

use crate::{AdapterCall, ChunkStream, LlmAdapter, LlmStream, StreamCall};

/// What happens when every listener of `llm/stream` delegated.
pub(crate) struct AdapterBase {
    pub(crate) adapter: Option<Arc<dyn LlmAdapter>>,
}

impl Base<LlmStream> for AdapterBase {
    fn call<'a>(&'a self, call: &'a mut StreamCall) -> BoxFuture<'a, Result<ChunkStream, ListenerError>> {
        let call = AdapterCall { config: call.config.clone(), request: call.request.clone() };
        let signal = call.request.signal.clone();
        let source = match &self.adapter {
            Some(adapter) if adapter.provider() == call.config.provider => {
                let adapter = Arc::clone(adapter);
                // Inside the stream, so that a panic of the adapter's function is contained like those of its stream.
                stream::once(async move { adapter.stream(call) }).flatten().boxed()
            }
            Some(adapter) => {
                let (prepared, asked) = (adapter.provider(), &call.config.provider);
                failed("INVALID_PREPARED_CALL", format!("the call was prepared for the provider `{prepared}`, not for `{asked}`"))
            }
            None => failed("NO_ADAPTER", format!("no adapter serves the provider `{}`", call.config.provider)),
        };
        Box::pin(async move { Ok(terminated(source, signal)) })
    }
}

/// The failure of a call whose signal was cancelled.
pub(crate) fn given_up() -> LlmFailure {
    LlmFailure::new("ABORTED", "the call was cancelled")
}

fn failed(code: &str, message: String) -> BoxStream<'static, Result<StreamChunk, LlmFailure>> {
    let failure = LlmFailure::new(code, message);
    stream::once(async move { Err(failure) }).boxed()
}

/// Ends the stream with its first failure, or at once when the signal is cancelled. After `finish` nothing is asked for.
fn terminated(source: BoxStream<'static, Result<StreamChunk, LlmFailure>>, signal: CancellationToken) -> ChunkStream {
    let source = AssertUnwindSafe(source).catch_unwind();
    let open = Some((Box::pin(source), signal));
    stream::unfold(open, |open| async move {
        let (mut source, signal) = open?;
        let next = tokio::select! {
            biased;
            () = signal.cancelled() => Err(given_up()),
            item = source.next() => match item? {
                Ok(item) => item,
                Err(_) => Err(LlmFailure::new("UNKNOWN", "the model adapter panicked")),
            },
        };
        Some(match next {
            Ok(chunk @ StreamChunk::Finish { .. }) => (chunk, None),
            Ok(chunk) => (chunk, Some((source, signal))),
            Err(failure) => (finish(failure, signal.is_cancelled()), None),
        })
    })
    .boxed()
}

fn finish(failure: LlmFailure, cancelled: bool) -> StreamChunk {
    let failure = recordable(failure);
    let aborted = cancelled || failure.code == "ABORTED";
    let reason = if aborted { FinishReason::Aborted { failure } } else { FinishReason::Error { failure } };
    StreamChunk::Finish { reason, replay_state: None }
}

/// The failure with only what the log admits: words that are not empty, figures within their bounds.
fn recordable(failure: LlmFailure) -> LlmFailure {
    let words = |text: String, fallback: &str| if text.is_empty() { fallback.to_owned() } else { text };
    LlmFailure {
        message: words(failure.message, "the model call failed"),
        code: words(failure.code, "UNKNOWN"),
        status: failure.status.filter(|status| (100..=599).contains(status)),
        provider_retry_after_ms: failure.provider_retry_after_ms.filter(|pause| *pause > 0),
        request_id: failure.request_id.filter(|id| !id.is_empty()),
    }
}
