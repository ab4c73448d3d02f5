//! From a result to what the log records: review, last change, announcement.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use dsh_json::Json;
use dsh_message::{ContentBlock, Message};
use dsh_runtime::{BoxFuture, ListenerError};
use dsh_session::catalogue::ToolFailure;
use futures_util::FutureExt;
use serde_json::Value;

use super::execute::{Review, recordable};
use super::{ExecutedCall, unless_cancelled};
use crate::table::Table;
use crate::{Outcome, PostExecuteAction, PostExecuteDecision, ToolError, ToolExecution, ToolOutcome, ToolResult};

/// A call's final result, to be logged and sent to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct SettledCall {
    /// What the model reads.
    pub content: Vec<ContentBlock>,
    /// Whether it is a failure.
    pub is_error: bool,
    /// Name and code of a failure that has them.
    pub error: Option<ToolFailure>,
    /// What clients need to show the result.
    pub meta: Option<Json>,
    /// Messages for the model's next step, in order.
    pub additional_contexts: Vec<Arc<Message>>,
    /// Whether the turn ends after this step when nothing else is pending.
    pub concludes_turn: bool,
}

impl SettledCall {
    /// The result of a call that was never started because its turn was cancelled.
    #[must_use]
    pub fn aborted_before_dispatch() -> Self {
        ToolResult::failure(ToolError::aborted_before_dispatch()).into()
    }

    /// The result of a call that has no record of its own, because the log refused it for this reason.
    #[must_use]
    pub fn not_started(reason: &str) -> Self {
        ToolResult::failure(ToolError::not_started(reason)).into()
    }
}

impl From<ToolResult> for SettledCall {
    fn from(result: ToolResult) -> Self {
        let ToolResult { outcome, content, additional_contexts } = result;
        let (is_error, error, meta, concludes_turn) = match outcome {
            Outcome::Success { meta, concludes_turn, .. } => (false, None, meta, concludes_turn),
            Outcome::Failure(error) => (true, error.info().cloned(), None, false),
        };
        Self { content, is_error, error, meta, additional_contexts, concludes_turn }
    }
}

impl ExecutedCall {
    /// Ends the call. Calls of one reply are settled in the order in which the model made them.
    pub async fn settle(self) -> SettledCall {
        let Self { table, execution, mut result, body, review } = self;
        if review == Review::Due {
            result = unless_cancelled(&execution, body, reviewed(&table, &execution, result).await);
        }
        let outcome = ToolOutcome { result: Arc::new(finalized(&execution, result)), execution };
        if let Err(error) = table.events.result.emit(&outcome) {
            tracing::error!(tool = outcome.execution.name(), %error, "a runtime check failed on a tool's result");
        }
        Arc::unwrap_or_clone(outcome.result).into()
    }
}

async fn reviewed(table: &Table, execution: &ToolExecution, result: ToolResult) -> ToolResult {
    fn accept(_: &mut ToolOutcome) -> BoxFuture<'_, Result<PostExecuteDecision, ListenerError>> {
        Box::pin(async { Ok(PostExecuteDecision::accept()) })
    }
    let result = Arc::new(result);
    let mut heard = ToolOutcome { execution: execution.clone(), result: Arc::clone(&result) };
    let decision = AssertUnwindSafe(table.events.post_execute.waterfall(&mut heard, &accept)).catch_unwind().await;
    drop(heard);
    match decision {
        Ok(Ok(decision)) => {
            let changed = apply(execution, Arc::unwrap_or_clone(result), decision.action);
            changed.unwrap_or_else(ToolResult::failure).with_contexts(decision.additional_contexts)
        }
        Ok(Err(error)) => ToolResult::failure(error.into()),
        Err(_) => ToolResult::failure(ToolError::panicked("a policy after the call", execution.name())),
    }
}

fn apply(execution: &ToolExecution, result: ToolResult, action: PostExecuteAction) -> Result<ToolResult, ToolError> {
    match action {
        PostExecuteAction::Accept => Ok(result),
        PostExecuteAction::ReplaceContent(content) => Ok(ToolResult { content, ..result }),
        PostExecuteAction::ReplaceValue(value) => replace_value(execution, result, value),
        PostExecuteAction::Block(content) => {
            let error = ToolError::plain(ContentBlock::joined_text(&content).to_lossy());
            Ok(ToolResult { outcome: Outcome::Failure(error), content, additional_contexts: Vec::new() })
        }
    }
}

fn replace_value(execution: &ToolExecution, result: ToolResult, value: Value) -> Result<ToolResult, ToolError> {
    let (Outcome::Success { concludes_turn, .. }, Some(tool)) = (result.outcome, execution.tool()) else {
        return Err(ToolError::plain("a policy replaced the value of a failed call"));
    };
    let rendered = catch_unwind(AssertUnwindSafe(|| tool.body.render(execution.arguments(), value)));
    let output = rendered.map_err(|_| ToolError::panicked("the tool's output", execution.name())).flatten().and_then(recordable)?;
    let outcome = Outcome::Success { value: output.value, meta: output.meta, concludes_turn };
    Ok(ToolResult { outcome, content: output.content, additional_contexts: result.additional_contexts })
}

/// Lets the tool change what the model reads one last time.
fn finalized(execution: &ToolExecution, result: ToolResult) -> ToolResult {
    let Some(tool) = execution.tool() else { return result };
    match catch_unwind(AssertUnwindSafe(|| tool.body.finalize(execution, &result))) {
        Ok(None) => result,
        Ok(Some(content)) => ToolResult { content, ..result },
        Err(_) => ToolResult::failure(ToolError::panicked("the tool's output", execution.name())).with_contexts(result.additional_contexts),
    }
}
