//! Runtime checks of calls: the stages of an execution come in order, and its result names what was called.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use dsh_runtime::event::{Around, Flow, Next};
use dsh_runtime::{BoxFuture, Event, Installer, InvariantError, ListenerError, PluginContext, Position, WaterfallEvent};

use crate::execution::Facts;
use crate::live::{ToolsExecute, ToolsPostExecute, ToolsPreExecute};
use crate::table::Events;
use crate::{ExecutionId, ToolAttempt, ToolExecution, ToolOutcome};

/// A stage is known by the name of its event.
type Stage = &'static str;

/// Executions under way with the last stage that each passed. One that is given up without a result is forgotten once nothing
/// holds it.
#[derive(Clone, Default)]
struct Stages(Arc<Mutex<BTreeMap<ExecutionId, Passed>>>);

struct Passed {
    facts: Weak<Facts>,
    stage: Stage,
}

impl Stages {
    /// Moves an execution to `stage`, if its last one is among `from`; none is the start.
    fn advance(&self, execution: &ToolExecution, from: &[Option<Stage>], stage: Stage) -> Result<(), ListenerError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|_, passed| passed.facts.strong_count() > 0);
        let last = known.get(&execution.id()).map(|passed| passed.stage);
        if !from.contains(&last) {
            return Err(broken(execution, &format!("`{stage}` comes after {}", last.unwrap_or("no stage"))));
        }
        known.insert(execution.id(), Passed { facts: Arc::downgrade(execution.facts()), stage });
        Ok(())
    }

    fn forget(&self, execution: &ToolExecution) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&execution.id());
    }
}

/// Installs the checks, outside all other listeners.
pub(crate) fn installer(events: &Events) -> Installer {
    let (pre_execute, execute) = (events.pre_execute.clone(), events.execute.clone());
    let (post_execute, result) = (events.post_execute.clone(), events.result.clone());
    Box::new(move |cx: &PluginContext| {
        let stages = Stages::default();
        let key = (Position::First, cx.row());
        let check = || Arc::new(StageCheck(stages.clone()));
        pre_execute.listen(key, None, check(), cx.effects());
        execute.listen(key, None, check(), cx.effects());
        post_execute.listen(key, None, check(), cx.effects());
        let settled = move |outcome: &ToolOutcome| {
            stages.forget(&outcome.execution);
            named(&outcome.execution)
        };
        result.listen(key, None, Arc::new(settled), cx.effects());
    })
}

struct StageCheck(Stages);

impl Around<ToolsPreExecute> for StageCheck {
    fn call<'a>(&'a self, execution: &'a mut ToolExecution, next: Next<'a, ToolsPreExecute>) -> BoxFuture<'a, Flow<ToolsPreExecute>> {
        pass(self.0.advance(execution, &[None], ToolsPreExecute::NAME), execution, next)
    }
}

impl Around<ToolsExecute> for StageCheck {
    fn call<'a>(&'a self, attempt: &'a mut ToolAttempt, next: Next<'a, ToolsExecute>) -> BoxFuture<'a, Flow<ToolsExecute>> {
        pass(self.0.advance(&attempt.execution, &[Some(ToolsPreExecute::NAME)], ToolsExecute::NAME), attempt, next)
    }
}

impl Around<ToolsPostExecute> for StageCheck {
    fn call<'a>(&'a self, outcome: &'a mut ToolOutcome, next: Next<'a, ToolsPostExecute>) -> BoxFuture<'a, Flow<ToolsPostExecute>> {
        // A call that was refused never executes.
        let from = [Some(ToolsPreExecute::NAME), Some(ToolsExecute::NAME)];
        pass(self.0.advance(&outcome.execution, &from, ToolsPostExecute::NAME), outcome, next)
    }
}

/// Delegates, unless the check failed.
fn pass<'a, E, O>(checked: Result<(), ListenerError>, payload: &'a mut E::Payload, next: Next<'a, E>) -> BoxFuture<'a, Flow<E>>
where
    E: WaterfallEvent<Out = Result<O, ListenerError>>,
{
    match checked {
        Ok(()) => next.run(payload),
        Err(error) => Box::pin(async move { next.decide(Err(error)) }),
    }
}

fn named(execution: &ToolExecution) -> Result<(), ListenerError> {
    if execution.name().is_empty() || execution.call_id().0.is_empty() {
        return Err(broken(execution, "its result has no name or no call id"));
    }
    Ok(())
}

fn broken(execution: &ToolExecution, rule: &str) -> ListenerError {
    InvariantError::new(env!("CARGO_PKG_NAME"), format!("call `{}` of `{}`: {rule}", execution.call_id(), execution.name())).into()
}
