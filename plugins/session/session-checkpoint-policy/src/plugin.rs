//! The plugin: it stands before steps, model calls and tool bodies.

use std::future::ready;
use std::sync::Arc;

use dsh_agent::{AgentPreStep, PreStep};
use dsh_llm::{ChunkStream, LlmStream, StreamCall};
use dsh_message::{FinishReason, LlmFailure, StreamChunk};
use dsh_runtime::{Flow, Inject, ListenerError, MountError, Next, PluginContext, plugin};
use dsh_session::SessionStore;
use dsh_session_persistence::SessionPersistence;
use dsh_tools::{ToolAttempt, ToolError, ToolResult, ToolsExecute};
use futures_util::{StreamExt, stream};

use crate::checkpoint::{Missed, reach};

/// What checkpoints need.
#[derive(Inject)]
pub struct Inject {
    /// Asks for durability.
    pub sessions: Arc<SessionStore>,
    /// Gives it: in a composition that stores no sessions a checkpoint would mean nothing.
    pub persistence: Arc<dyn SessionPersistence>,
}

/// Holds up what follows from a log until the log is durable.
pub struct SessionCheckpoints {
    sessions: Arc<SessionStore>,
}

#[plugin]
impl SessionCheckpoints {
    /// Mounts it.
    pub async fn mount(_cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self { sessions: inject.sessions })
    }

    /// Before a step is proposed to later listeners.
    #[on(AgentPreStep)]
    async fn before_step(&self, proposed: &mut PreStep, next: Next<'_, AgentPreStep>) -> Flow<AgentPreStep> {
        match reach(&self.sessions, proposed.agent.session(), proposed.signal.cancelled()).await {
            Ok(()) => next.run(proposed).await,
            Err(Missed::Failed(error)) => next.decide(Err(error)),
            Err(Missed::GivenUp) => next.decide(Err(ListenerError::new("the step was given up"))),
        }
    }

    /// Before a model call on behalf of a live session, calls beside the conversation included.
    #[on(LlmStream)]
    async fn before_call(&self, call: &mut StreamCall, next: Next<'_, LlmStream>) -> Flow<LlmStream> {
        let request = call.request();
        let Some(session) = request.session.as_ref().and_then(|id| self.sessions.get(id)) else { return next.run(call).await };
        match reach(&self.sessions, &session, request.signal.cancelled()).await {
            Ok(()) => next.run(call).await,
            Err(Missed::Failed(error)) => next.decide(Err(error)),
            Err(Missed::GivenUp) => next.decide(Ok(given_up())),
        }
    }

    /// Before the body of a call that a model made itself. A call inside another one has the checkpoint of the outer call.
    #[on(ToolsExecute)]
    async fn before_body(&self, attempt: &mut ToolAttempt, next: Next<'_, ToolsExecute>) -> Flow<ToolsExecute> {
        let execution = attempt.execution.clone();
        let (Some(agent), true) = (execution.agent(), execution.call_id() == execution.root_call_id()) else {
            return next.run(attempt).await;
        };
        // A wrapper may have put a signal of its own in the place of the caller's.
        let given_up = async {
            tokio::select! {
                () = execution.signal().cancelled() => {}
                () = attempt.signal.cancelled() => {}
            }
        };
        match reach(&self.sessions, agent.session(), given_up).await {
            Ok(()) => next.run(attempt).await,
            Err(Missed::Failed(error)) => next.decide(Err(error)),
            Err(Missed::GivenUp) => next.decide(Ok(ToolResult::failure(ToolError::aborted_before_dispatch()))),
        }
    }
}

/// The reply of a call whose signal was cancelled.
fn given_up() -> ChunkStream {
    let reason = FinishReason::Aborted { failure: LlmFailure::new("ABORTED", "the call was cancelled") };
    stream::once(ready(StreamChunk::Finish { reason, replay_state: None })).boxed()
}
