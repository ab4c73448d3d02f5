//! One HTTP exchange: the request goes out, the answer is a stream of chunks or a failure.

use std::sync::Arc;
use std::time::Duration;

use dsh_message::{LlmFailure, StreamChunk};
use dsh_runtime::{Clock, SecretValue};
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::{Client, Request, Response};

use crate::address::Address;
use crate::detail::Detail;
use crate::failure::{Refusal, silence, transport};
use crate::reply::Reply;
use crate::{credential, failure};

/// How much of a refusal's body is kept, in bytes.
const REFUSAL_KEPT: usize = 64 * 1024;
/// How much of it is read, so that its connection can be used again.
const REFUSAL_READ: usize = 1024 * 1024;

/// A call ready to be made.
pub(crate) struct Exchange {
    pub(crate) client: Client,
    pub(crate) request: Request,
    /// Longest silence.
    pub(crate) idle: Duration,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) key: SecretValue,
    pub(crate) key_variable: String,
}

impl Exchange {
    /// Makes the call. Dropping the stream closes the exchange.
    pub(crate) fn run(self) -> BoxStream<'static, Result<StreamChunk, LlmFailure>> {
        let key = self.key.clone();
        let chunks = stream::once(self.open()).map_ok(Reply::into_stream).try_flatten();
        chunks.map_err(move |failure| credential::without_key(failure, &key)).boxed()
    }

    async fn open(self) -> Result<Reply, LlmFailure> {
        let address = Address::of(self.request.url());
        let answer = tokio::time::timeout(self.idle, self.client.execute(self.request)).await;
        let response = answer.map_err(|_| silence(&address, self.idle))?.map_err(|error| transport(&address, error))?;
        let request_id = failure::request_id(response.headers());
        if response.status().is_success() {
            return Ok(Reply::new(response, address, self.idle, request_id));
        }
        let (status, retry_after) = (response.status().as_u16(), failure::retry_after(response.headers(), self.clock.now()));
        let body = refusal_body(response, self.idle).await;
        let refusal = Refusal { address: &address, status, detail: Detail::read(&body), key_variable: &self.key_variable };
        Err(LlmFailure { provider_retry_after_ms: retry_after, request_id, ..refusal.into_failure() })
    }
}

/// The first part of a refusal's body; a body that breaks off counts as far as it came.
async fn refusal_body(mut response: Response, idle: Duration) -> Vec<u8> {
    let (mut kept, mut read) = (Vec::new(), 0);
    while let Ok(Ok(Some(bytes))) = tokio::time::timeout(idle, response.chunk()).await {
        kept.extend_from_slice(&bytes[..bytes.len().min(REFUSAL_KEPT - kept.len())]);
        read += bytes.len();
        if read > REFUSAL_READ {
            break;
        }
    }
    kept
}
