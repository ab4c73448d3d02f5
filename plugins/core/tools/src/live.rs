//! Live events of tools. A call is heard by listeners of its agent's scope and of the whole binary.

use dsh_runtime::{ListenerError, ScopeId, event};

use crate::{PostExecuteDecision, PreExecuteDecision, ToolAttempt, ToolExecution, ToolOutcome, ToolResult};

/// A call is about to be admitted: listeners allow, deny or ask. Calls of unknown tools are heard too.
#[event(name = "tools/pre-execute", mode = waterfall, payload = ToolExecution, out = Result<PreExecuteDecision, ListenerError>, scope = execution_scope)]
pub struct ToolsPreExecute;

/// A body runs: listeners wrap it, may run it again, and may end it by a signal of their own.
#[event(name = "tools/execute", mode = waterfall, payload = ToolAttempt, out = Result<ToolResult, ListenerError>, scope = attempt_scope, repeatable)]
pub struct ToolsExecute;

/// A call has a result, a denial included: listeners accept, change or block it.
#[event(name = "tools/post-execute", mode = waterfall, payload = ToolOutcome, out = Result<PostExecuteDecision, ListenerError>, scope = outcome_scope)]
pub struct ToolsPostExecute;

/// A call has its final result.
#[event(name = "tools/result", mode = emit, payload = ToolOutcome, scope = outcome_scope)]
pub struct ToolsResult;

/// What some agent sees changed: a tool, a guard or a restriction was registered or undone.
#[event(name = "tools/change", mode = emit, payload = ())]
pub struct ToolsChange;

fn execution_scope(execution: &ToolExecution) -> Option<ScopeId> {
    execution.scope()
}

fn attempt_scope(attempt: &ToolAttempt) -> Option<ScopeId> {
    attempt.execution.scope()
}

fn outcome_scope(outcome: &ToolOutcome) -> Option<ScopeId> {
    outcome.execution.scope()
}
