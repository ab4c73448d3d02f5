//! Runtime checks: replies follow the grammar of chunks, and a route leads to the adapter of its provider.

use std::sync::Arc;

use dsh_message::{FinishReason, LlmFailure, StreamChunk};
use dsh_runtime::event::Around;
use dsh_runtime::{BoxFuture, Dispatcher, Flow, InvariantError, ListenerError, Next, PluginContext, Position};
use futures_util::{StreamExt, stream};

use crate::grammar::Grammar;
use crate::llm::Routes;
use crate::{ChunkStream, LlmAdaptersUpdated, LlmStream, StreamCall};

const PACKAGE: &str = env!("CARGO_PKG_NAME");

/// Installs the checks.
pub(crate) fn install(cx: &PluginContext, calls: &Dispatcher<LlmStream>, updated: &Dispatcher<LlmAdaptersUpdated>, routes: Routes) {
    let key = (Position::First, cx.row());
    calls.listen(key, None, Arc::new(CheckReplies), cx.effects());
    let check = move |(): &()| -> Result<(), ListenerError> {
        match routes.lock().iter().find(|(route, adapter)| adapter.provider() != *route) {
            Some((route, adapter)) => {
                let rule = format!("the route `{route}` leads to an adapter that calls itself `{}`", adapter.provider());
                Err(InvariantError::new(PACKAGE, rule).into())
            }
            None => Ok(()),
        }
    };
    updated.listen(key, None, Arc::new(check), cx.effects());
}

struct CheckReplies;

impl Around<LlmStream> for CheckReplies {
    fn call<'a>(&'a self, call: &'a mut StreamCall, next: Next<'a, LlmStream>) -> BoxFuture<'a, Flow<LlmStream>> {
        Box::pin(async move { next.run(call).await.map(|out| out.map(checked)) })
    }
}

/// The reply up to the first chunk that breaks the grammar. In its place stands a `finish` that states the violation: a reply
/// has no other way to fail once it began.
fn checked(reply: ChunkStream) -> ChunkStream {
    stream::unfold(Some((reply, Grammar::default())), |open| async move {
        let (mut reply, mut grammar) = open?;
        match reply.next().await {
            Some(chunk) => match grammar.take(&chunk) {
                Ok(()) => Some((chunk, Some((reply, grammar)))),
                Err(rule) => Some((violation(&rule), None)),
            },
            None => grammar.end().err().map(|rule| (violation(&rule), None)),
        }
    })
    .boxed()
}

fn violation(rule: &str) -> StreamChunk {
    let error = InvariantError::new(PACKAGE, rule);
    tracing::error!(%error, "a model's reply breaks the grammar of chunks");
    let failure = LlmFailure::new(InvariantError::CODE, error.to_string());
    StreamChunk::Finish { reason: FinishReason::Error { failure }, replay_state: None }
}
