//! The body of a call, with the policies around it.

use std::convert::Infallible;
use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dsh_runtime::event::Base;
use dsh_runtime::{BoxFuture, CancellationToken, ListenerError};
use futures_util::FutureExt;

use super::prepare::Admission;
use super::{Body, PreparedCall, unless_cancelled};
use crate::live::ToolsExecute;
use crate::schema::{Violation, validate};
use crate::table::{Registered, Table};
use crate::{Outcome, ToolAttempt, ToolCall, ToolError, ToolExecution, ToolOutput, ToolResult, arguments};

/// A call with a result that is not settled yet.
#[must_use = "a call that was executed is settled"]
pub struct ExecutedCall {
    pub(super) table: Arc<Table>,
    pub(super) execution: ToolExecution,
    pub(super) result: ToolResult,
    pub(super) body: Body,
    pub(super) review: Review,
}

/// Whether policies hear of the result before it is final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Review {
    Due,
    Skipped,
}

impl PreparedCall {
    /// Runs the body, if it may. The future owns all that it needs: whoever starts it runs it in a task of its own and awaits it,
    /// so that a call that started is never dropped in the middle.
    pub async fn execute(self) -> ExecutedCall {
        let Self { table, execution, admission } = self;
        let (result, body, review) = match admission {
            Admission::Run => run(&table, &execution).await,
            Admission::Refused(error) => (ToolResult::failure(error), Body::NotStarted, Review::Due),
            Admission::Rejected(error) => (ToolResult::failure(error), Body::NotStarted, Review::Skipped),
        };
        ExecutedCall { table, execution, result, body, review }
    }
}

async fn run(table: &Table, execution: &ToolExecution) -> (ToolResult, Body, Review) {
    let innermost = Innermost { execution: execution.clone(), started: AtomicBool::new(false) };
    let mut attempt = ToolAttempt { execution: execution.clone(), signal: execution.signal().clone() };
    let outcome = AssertUnwindSafe(table.events.execute.waterfall(&mut attempt, &innermost)).catch_unwind().await;
    let body = if innermost.started.load(Ordering::Relaxed) { Body::Started } else { Body::NotStarted };
    match outcome {
        Ok(Ok(result)) => (unless_cancelled(execution, body, result), body, Review::Due),
        Ok(Err(error)) => (ToolResult::failure(error.into()), body, Review::Skipped),
        Err(_) => (ToolResult::failure(ToolError::panicked("a policy around the call", execution.name())), body, Review::Skipped),
    }
}

/// What runs inside all wrappers.
struct Innermost {
    execution: ToolExecution,
    started: AtomicBool,
}

impl Base<ToolsExecute> for Innermost {
    fn call<'a>(&'a self, attempt: &'a mut ToolAttempt) -> BoxFuture<'a, Result<ToolResult, ListenerError>> {
        Box::pin(async move { Ok(self.attempt(&attempt.signal).await.unwrap_or_else(ToolResult::failure)) })
    }
}

impl Innermost {
    async fn attempt(&self, requested: &CancellationToken) -> Result<ToolResult, ToolError> {
        let execution = &self.execution;
        if execution.signal().is_cancelled() {
            return Err(ToolError::aborted_before_dispatch());
        }
        let tool = execution.tool().ok_or_else(|| ToolError::unknown_tool(execution.name()))?;
        if let Some(problem) = execution.unreadable() {
            return Err(ToolError::invalid_args(problem));
        }
        let violations = validate(&tool.spec.parameters, execution.arguments());
        if !violations.is_empty() {
            return Err(ToolError::invalid_args(&Violation::join(&violations)));
        }
        let call = ToolCall::new(execution, execution.signal().child_token());
        self.started.store(true, Ordering::Relaxed);
        let mut result = match body(tool, execution, &call, requested).await.and_then(recordable) {
            Ok(output) => ToolResult::success(output),
            Err(error) => ToolResult::failure(error),
        };
        if let Outcome::Success { concludes_turn, .. } = &mut result.outcome {
            *concludes_turn = call.concludes();
        }
        Ok(result.with_contexts(call.take_deferred()))
    }
}

/// Runs a body to its end. Its signal follows the caller's and the one that wrappers put in its place.
async fn body(
    tool: &Registered,
    execution: &ToolExecution,
    call: &ToolCall,
    requested: &CancellationToken,
) -> Result<ToolOutput, ToolError> {
    if requested.is_cancelled() {
        call.signal.cancel();
    }
    let body = AssertUnwindSafe(async { tool.body.call(execution.arguments().clone(), call).await }).catch_unwind();
    let follow = async {
        requested.cancelled().await;
        call.signal.cancel();
        pending::<Infallible>().await
    };
    let outcome = tokio::select! {
        biased;
        outcome = body => outcome,
        never = follow => match never {},
    };
    outcome.unwrap_or_else(|_| Err(ToolError::panicked("the tool", execution.name())))
}

/// The output, when the log can hold it.
pub(super) fn recordable(output: ToolOutput) -> Result<ToolOutput, ToolError> {
    if arguments::is_lossless(&output.value) { Ok(output) } else { Err(ToolError::invalid_output("the value holds minus zero")) }
}
