//! Reading a streamed reply.

use std::collections::VecDeque;
use std::time::Duration;

use dsh_message::{LlmFailure, StreamChunk};
use futures_util::{Stream, stream};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

use crate::address::Address;
use crate::failure::{no_events, silence, transport};
use crate::sse::SseDecoder;
use crate::translator::Translator;

/// How long the end of the body is waited for once the reply is complete. A body that is read to its end leaves its connection
/// to the next call; a server that holds it open any longer costs a new connection instead.
const END_LIMIT: Duration = Duration::from_millis(100);

/// How much of a body that holds no events is kept to be told, in bytes.
const STRAY_KEPT: usize = 64 * 1024;

/// A reply under way.
pub(crate) struct Reply {
    response: Response,
    address: Address,
    idle: Duration,
    request_id: Option<String>,
    decoder: SseDecoder,
    translator: Translator,
    received: bool,
    /// The beginning of a body that is no stream of events by its type, as long as no event was found in it.
    stray: Option<Vec<u8>>,
    ready: VecDeque<StreamChunk>,
    failure: Option<LlmFailure>,
}

impl Reply {
    pub(crate) fn new(response: Response, address: Address, idle: Duration, request_id: Option<String>) -> Self {
        let is_stream = content_type(&response).is_some_and(|form| form.trim_start().starts_with("text/event-stream"));
        Self {
            response,
            address,
            idle,
            request_id,
            decoder: SseDecoder::default(),
            translator: Translator::default(),
            received: false,
            stray: (!is_stream).then(Vec::new),
            ready: VecDeque::new(),
            failure: None,
        }
    }

    /// The chunks as they come. Dropping the stream closes the response.
    pub(crate) fn into_stream(self) -> impl Stream<Item = Result<StreamChunk, LlmFailure>> + Send {
        stream::try_unfold(self, |mut reply| async move {
            loop {
                if let Some(chunk) = reply.ready.pop_front() {
                    return Ok(Some((chunk, reply)));
                }
                if let Some(failure) = reply.failure.take() {
                    return Err(LlmFailure { request_id: reply.request_id, ..failure });
                }
                if reply.translator.ended() {
                    return Ok(None);
                }
                reply.failure = reply.advance().await.err();
            }
        })
    }

    /// Reads once. What was understood before a failure stands in `ready`.
    async fn advance(&mut self) -> Result<(), LlmFailure> {
        let read = tokio::time::timeout(self.idle, self.response.chunk()).await;
        match read.map_err(|_| silence(&self.address, self.idle))?.map_err(|error| transport(&self.address, error))? {
            Some(bytes) => {
                self.received |= !bytes.is_empty();
                if let Some(stray) = &mut self.stray {
                    stray.extend_from_slice(&bytes[..bytes.len().min(STRAY_KEPT - stray.len())]);
                }
                let events = self.decoder.push(&bytes);
                let events = events.map_err(|_| LlmFailure::new("MALFORMED_RESPONSE", "an event of the model's reply is too large"))?;
                events.iter().try_for_each(|data| self.take(data))?;
                if self.translator.ended() {
                    self.read_to_end().await;
                }
                Ok(())
            }
            None => {
                if let Some(data) = self.decoder.finish() {
                    self.take(&data)?;
                }
                match (self.translator.ended(), self.received) {
                    (true, _) => Ok(()),
                    (false, true) if self.stray.is_some() => {
                        let body = self.stray.take().unwrap_or_default();
                        Err(no_events(&self.address, content_type(&self.response), &body))
                    }
                    (false, true) => Err(LlmFailure::new("STREAM_CLOSED", "the model's reply broke off before its end")),
                    (false, false) => Err(LlmFailure::new("EMPTY_RESPONSE", "the model provider answered without a body")),
                }
            }
        }
    }

    fn take(&mut self, data: &[u8]) -> Result<(), LlmFailure> {
        self.stray = None;
        if self.translator.ended() { Ok(()) } else { self.translator.take(data, &mut self.ready) }
    }

    async fn read_to_end(&mut self) {
        let rest = async { while let Ok(Some(_)) = self.response.chunk().await {} };
        // The reply is complete; whether its connection can be used again changes nothing for it.
        let _ = tokio::time::timeout(END_LIMIT, rest).await;
    }
}

fn content_type(response: &Response) -> Option<&str> {
    response.headers().get(CONTENT_TYPE)?.to_str().ok()
}
