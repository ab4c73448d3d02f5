//! The runtime checks of calls.

use std::sync::{Arc, Mutex};

use crate::support::{Bench, told};
use dsh_message::CallId;
use dsh_runtime::event::{Around, Flow, Next};
use dsh_runtime::{BoxFuture, Dispatcher, Position};
use dsh_testkit::{call_request, run_call};
use dsh_tools::{
    CallRequest, PreExecuteDecision, ToolAttempt, ToolExecution, ToolOutcome, ToolOutput, ToolResult, ToolsExecute, ToolsPreExecute,
    ToolsResult,
};
use serde_json::json;

/// Keeps the call that it sees.
#[derive(Clone, Default)]
struct Keep(Arc<Mutex<Option<ToolExecution>>>);

impl Around<ToolsPreExecute> for Keep {
    fn call<'a>(&'a self, call: &'a mut ToolExecution, next: Next<'a, ToolsPreExecute>) -> BoxFuture<'a, Flow<ToolsPreExecute>> {
        *self.0.lock().unwrap() = Some(call.clone());
        next.run(call)
    }
}

fn allow(_: &mut ToolExecution) -> BoxFuture<'_, Result<PreExecuteDecision, dsh_runtime::ListenerError>> {
    Box::pin(async { Ok(PreExecuteDecision::Allow) })
}

fn made_up(_: &mut ToolAttempt) -> BoxFuture<'_, Result<ToolResult, dsh_runtime::ListenerError>> {
    Box::pin(async { Ok(ToolResult::success(ToolOutput::text(""))) })
}

#[tokio::test]
async fn a_stage_out_of_order_is_found() {
    let bench = Bench::new().await;
    let keep = Keep::default();
    bench.tooling.topics.pre_execute.listen(bench.key(), None, Arc::new(keep.clone()), bench.row.effects());
    let prepared = bench.tooling.tools.prepare(call_request(bench.agent(), "echo", &json!({ "text": "x" }))).await;
    let execution = keep.0.lock().unwrap().clone().unwrap();

    let pre: Dispatcher<ToolsPreExecute> = bench.tooling.topics.pre_execute.dispatcher();
    let again = pre.waterfall(&mut execution.clone(), &allow).await.unwrap_err().to_string();
    assert_eq!(again, "dsh-tools: call `call_1` of `echo`: `tools/pre-execute` comes after tools/pre-execute");

    let executed = prepared.execute().await;
    let mut attempt = ToolAttempt { signal: execution.signal().clone(), execution };
    let execute: Dispatcher<ToolsExecute> = bench.tooling.topics.execute.dispatcher();
    let again = execute.waterfall(&mut attempt, &made_up).await.unwrap_err().to_string();
    assert_eq!(again, "dsh-tools: call `call_1` of `echo`: `tools/execute` comes after tools/execute");
    assert_eq!(told(&executed.settle().await).0, "x", "the call itself is in order");

    let late = execute.waterfall(&mut attempt, &made_up).await.unwrap_err().to_string();
    assert_eq!(late, "dsh-tools: call `call_1` of `echo`: `tools/execute` comes after no stage");
    bench.harness.teardown().await;
}

/// Dispatches the stage of the body from inside policy, as no plugin may.
struct Early(Dispatcher<ToolsExecute>);

impl Around<ToolsPreExecute> for Early {
    fn call<'a>(&'a self, call: &'a mut ToolExecution, next: Next<'a, ToolsPreExecute>) -> BoxFuture<'a, Flow<ToolsPreExecute>> {
        Box::pin(async move {
            let mut attempt = ToolAttempt { signal: call.signal().clone(), execution: call.clone() };
            self.0.waterfall(&mut attempt, &made_up).await.unwrap();
            next.run(call).await
        })
    }
}

#[tokio::test]
async fn a_call_with_a_broken_rule_fails_with_its_code() {
    let bench = Bench::new().await;
    let early = Early(bench.tooling.topics.execute.dispatcher());
    bench.tooling.topics.pre_execute.listen(bench.key(), None, Arc::new(early), bench.row.effects());
    let settled = bench.call("echo", json!({ "text": "x" })).await;
    let expected = "Error: dsh-tools: call `call_1` of `echo`: `tools/execute` comes after tools/execute";
    assert_eq!(told(&settled), (expected.to_owned(), true, Some("INVARIANT")));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_result_names_its_call() {
    let bench = Bench::new().await;
    let request = CallRequest { call_id: CallId::from(""), ..call_request(bench.agent(), "echo", &json!({ "text": "x" })) };
    let kept: Arc<Mutex<Option<ToolOutcome>>> = Arc::default();
    let seen = Arc::clone(&kept);
    let keep = move |outcome: &ToolOutcome| {
        *seen.lock().unwrap() = Some(ToolOutcome { execution: outcome.execution.clone(), result: Arc::clone(&outcome.result) });
        Ok(())
    };
    bench.tooling.topics.result.listen((Position::Last, 0), None, Arc::new(keep), bench.row.effects());
    assert_eq!(told(&run_call(&bench.tooling.tools, request).await).0, "x", "the result stands");
    let results: Dispatcher<ToolsResult> = bench.tooling.topics.result.dispatcher();
    let outcome = kept.lock().unwrap().take().unwrap();
    let broken = results.emit(&outcome).unwrap_err().to_string();
    assert_eq!(broken, "dsh-tools: call `` of `echo`: its result has no name or no call id");
    bench.harness.teardown().await;
}
