//! A step: one reply of the model, and the tool calls that it asks for.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use dsh_agent::{RequestError, RequestErrorAction};
use dsh_llm::{Assembled, Assembler};
use dsh_message::{ContentBlock, FinishReason, LlmFailure, Message, MessageSource, TokenUsage};
use dsh_runtime::{BoxFuture, ListenerError};
use dsh_session::SurfaceOp;
use dsh_session::catalogue::{AssistantChunk, AssistantMessage, UserMessage};
use dsh_system_prompt::Rendered;
use futures_util::StreamExt;

use crate::abort::Abort;
use crate::failure::Stop;
use crate::loop_agent::LoopAgent;
use crate::request::Attempt;
use crate::runtime_context;
use crate::schedule::Asked;

/// Which step it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) turn: u64,
    pub(crate) number: u64,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The model had said all, or a tool concluded the turn.
    Completed,
    /// The reply reached the ceiling of output.
    MaxTokens,
    /// Tools ran; the model is owed their results.
    ToolsRan,
}

/// What a stream left behind.
struct Streamed {
    assembler: Assembler,
    /// Events of the chunks, for the reply to cite.
    cited: Vec<u64>,
}

impl LoopAgent {
    /// Runs a step that was entered.
    pub(crate) async fn run_step(
        self: &Arc<Self>,
        step: Step,
        messages: Vec<Arc<Message>>,
        prompt: &Rendered,
        abort: &Abort,
    ) -> Result<Outcome, Stop> {
        for message in messages {
            let is_snapshot = runtime_context::is_snapshot(&message);
            self.session.append_message(&UserMessage(message), SurfaceOp::Append, None)?;
            self.had_snapshot.fetch_or(is_snapshot, Ordering::Relaxed);
        }
        // Tasks that listeners started for these messages (a first title) write to the log before the request does.
        tokio::task::yield_now().await;
        loop {
            abort.check()?;
            let attempt = self.compose(step, prompt, abort).await?;
            let (provider, model) = (attempt.prepared.config.provider.clone(), attempt.prepared.config.model.clone());
            let policy = attempt.prepared.retry_policy.clone();
            let Streamed { assembler, cited } = self.stream(step, attempt, abort).await?;
            let source = |replay_state| MessageSource::Model { provider: provider.clone(), model: model.clone(), replay_state };
            if let Err(stop) = abort.check() {
                self.keep_interrupted(step, assembler, cited, source(None))?;
                return Err(stop);
            }
            let Assembled { content, finish, usage, replay_state } = assembler.finish();
            if let FinishReason::Error { failure } | FinishReason::Aborted { failure } = finish {
                self.failed(step, &provider, failure, policy, abort).await?;
                continue;
            }
            let asked = Asked::of(&content);
            self.reply(step, content, source(replay_state), usage, false, cited)?;
            return match finish {
                FinishReason::MaxTokens => Ok(Outcome::MaxTokens),
                _ if asked.is_empty() => Ok(Outcome::Completed),
                _ => self.run_tools(step, &asked, abort).await,
            };
        }
    }

    /// Logs chunks as they come until the stream ends or the step is given up; what comes after that is not logged.
    async fn stream(&self, step: Step, attempt: Attempt, abort: &Abort) -> Result<Streamed, Stop> {
        let mut streamed = Streamed { assembler: Assembler::new(), cited: Vec::new() };
        let opened = tokio::select! {
            biased;
            () = abort.cancelled() => return Ok(streamed),
            opened = self.services.llm.stream(attempt.prepared, attempt.request) => opened?,
        };
        let mut chunks = pin!(opened.take_until(abort.cancelled()));
        while let Some(chunk) = chunks.next().await {
            let event = self.session.append(&AssistantChunk { turn: step.turn, step: step.number, chunk: chunk.clone() })?;
            streamed.cited.push(event.seq);
            streamed.assembler.push(&chunk).map_err(|error| Stop::unknown(&error))?;
        }
        Ok(streamed)
    }

    /// Keeps what was visible of a reply that was given up.
    fn keep_interrupted(&self, step: Step, assembler: Assembler, cited: Vec<u64>, source: MessageSource) -> Result<(), Stop> {
        let usage = assembler.usage();
        let content = assembler.interrupted();
        if content.is_empty() { Ok(()) } else { self.reply(step, content, source, usage, true, cited) }
    }

    fn reply(
        &self,
        step: Step,
        content: Vec<ContentBlock>,
        source: MessageSource,
        usage: Option<TokenUsage>,
        interrupted: bool,
        cited: Vec<u64>,
    ) -> Result<(), Stop> {
        let message = Arc::new(Message::assistant(self.services.ids.uuid().into(), content, source));
        let record = AssistantMessage { turn: step.turn, step: step.number, message, interrupted, usage };
        self.session.append_message(&record, SurfaceOp::Append, Some(cited))?;
        Ok(())
    }

    /// Asks what follows a failed call: returns for another attempt in the same step.
    async fn failed(
        self: &Arc<Self>,
        step: Step,
        provider: &str,
        failure: LlmFailure,
        retry_policy: dsh_message::RetryPolicy,
        abort: &Abort,
    ) -> Result<(), Stop> {
        let mut failed = RequestError {
            agent: self.shared(),
            turn: step.turn,
            step: step.number,
            provider: provider.to_owned(),
            failure: failure.clone(),
            retry_policy,
            signal: abort.signal(),
        };
        match self.services.events.request_error.waterfall(&mut failed, &give_up).await? {
            RequestErrorAction::Retry => Ok(()),
            RequestErrorAction::Fail => Err(Stop::Failed(failure)),
        }
    }
}

/// What happens to a failure that nobody takes on.
fn give_up(_failed: &mut RequestError) -> BoxFuture<'_, Result<RequestErrorAction, ListenerError>> {
    Box::pin(async { Ok(RequestErrorAction::Fail) })
}
