//! From a request to a call that may run: arguments, policy, approval, guards.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use dsh_runtime::{BoxFuture, ListenerError};
use futures_util::FutureExt;

use crate::schema::Violation;
use crate::table::Table;
use crate::{PreExecuteDecision, ToolError, ToolExecution, Verdict, arguments};

/// A call up to its body.
#[must_use = "a call that was prepared is executed and settled"]
pub struct PreparedCall {
    pub(super) table: Arc<Table>,
    pub(super) execution: ToolExecution,
    pub(super) admission: Admission,
}

/// What became of a call before its body.
pub(super) enum Admission {
    /// It runs.
    Run,
    /// It does not; its result is reviewed like any other.
    Refused(ToolError),
    /// It does not, and no policy hears of it again.
    Rejected(ToolError),
}

impl PreparedCall {
    /// Decides whether a call runs.
    pub(crate) async fn admit(table: Arc<Table>, execution: ToolExecution) -> Self {
        let admission = admission(&table, &execution).await;
        Self { table, execution, admission }
    }
}

async fn admission(table: &Table, execution: &ToolExecution) -> Admission {
    if !arguments::is_lossless(execution.arguments()) {
        return Admission::Rejected(ToolError::invalid_args(&Violation::not_lossless().to_string()));
    }
    if execution.signal().is_cancelled() {
        return Admission::Rejected(ToolError::aborted_before_dispatch());
    }
    let decision = match pre_execute(table, execution).await {
        Ok(decision) => decision,
        Err(error) => return Admission::Rejected(error),
    };
    let denied = match decision {
        PreExecuteDecision::Allow => denied_by_guard(table, execution),
        PreExecuteDecision::Deny { reason } => Some(ToolError::plain(reason)),
        // Nobody can be asked here, so asking is refusing.
        PreExecuteDecision::Ask { reason } => Some(ToolError::plain(
            reason.unwrap_or_else(|| format!("tool \"{}\" requires approval, which is not available here", execution.name())),
        )),
    };
    match denied {
        Some(error) => Admission::Refused(error),
        None if execution.signal().is_cancelled() => Admission::Refused(ToolError::aborted_before_dispatch()),
        None => Admission::Run,
    }
}

async fn pre_execute(table: &Table, execution: &ToolExecution) -> Result<PreExecuteDecision, ToolError> {
    fn allow(_: &mut ToolExecution) -> BoxFuture<'_, Result<PreExecuteDecision, ListenerError>> {
        Box::pin(async { Ok(PreExecuteDecision::Allow) })
    }
    // Listeners get a handle of their own: what they put in its place changes nothing here.
    let mut heard = execution.clone();
    let decision = AssertUnwindSafe(table.events.pre_execute.waterfall(&mut heard, &allow)).catch_unwind().await;
    Ok(decision.map_err(|_| ToolError::panicked("a policy before the call", execution.name()))??)
}

fn denied_by_guard(table: &Table, execution: &ToolExecution) -> Option<ToolError> {
    table.guards.view(execution.scope()).into_iter().find_map(|(_, guard)| {
        match catch_unwind(AssertUnwindSafe(|| guard.check(execution))) {
            Ok(Verdict::Abstain) => None,
            Ok(Verdict::Deny(reason)) => Some(ToolError::plain(reason)),
            Err(_) => Some(ToolError::panicked("a guard of the call", execution.name())),
        }
    })
}
