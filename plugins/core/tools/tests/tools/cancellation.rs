//! Calls that are given up.

use std::sync::Arc;

use crate::support::{Bench, context, told};
use dsh_message::ContentBlock;
use dsh_runtime::event::{Around, Flow, Next};
use dsh_runtime::{BoxFuture, CancellationToken};
use dsh_testkit::{call_request, run_call, tool_body, tool_spec};
use dsh_tools::{
    CallRequest, PreExecuteDecision, SettledCall, ToolAttempt, ToolError, ToolExecution, ToolOutput, ToolResult, ToolsExecute,
    ToolsPreExecute,
};
use serde_json::json;
use tokio::sync::Notify;

const ABORTED: &str = "Error: tool call aborted";
const BEFORE: &str = "Error: tool call aborted before dispatch";

fn request(bench: &Bench, name: &str) -> (CallRequest, CancellationToken) {
    let request = call_request(bench.agent(), name, &json!({ "text": "x" }));
    let signal = request.signal.clone();
    (request, signal)
}

/// Cancels the caller on the way in.
struct CancelBefore(CancellationToken);

impl Around<ToolsPreExecute> for CancelBefore {
    fn call<'a>(&'a self, call: &'a mut ToolExecution, next: Next<'a, ToolsPreExecute>) -> BoxFuture<'a, Flow<ToolsPreExecute>> {
        self.0.cancel();
        next.run(call)
    }
}

impl Around<ToolsExecute> for CancelBefore {
    fn call<'a>(&'a self, attempt: &'a mut ToolAttempt, next: Next<'a, ToolsExecute>) -> BoxFuture<'a, Flow<ToolsExecute>> {
        self.0.cancel();
        if attempt.execution.arguments()["text"] == "decide" {
            let result = ToolResult::success(ToolOutput::text("made up")).with_contexts(vec![context("kept")]);
            return Box::pin(async move { next.decide(Ok(result)) });
        }
        next.run(attempt)
    }
}

#[tokio::test]
async fn a_call_given_up_before_policy_is_not_heard_of() {
    let bench = Bench::new().await;
    let (request, signal) = request(&bench, "echo");
    signal.cancel();
    let other = CancellationToken::new();
    bench.tooling.topics.pre_execute.listen(bench.key(), None, Arc::new(CancelBefore(other.clone())), bench.row.effects());
    let settled = run_call(&bench.tooling.tools, request).await;
    assert_eq!(told(&settled), (BEFORE.to_owned(), true, Some("ABORTED_BEFORE_DISPATCH")));
    assert_eq!(settled, SettledCall::aborted_before_dispatch());
    assert!(!other.is_cancelled(), "no policy was asked");
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_call_given_up_during_policy_or_before_its_body_does_not_run() {
    let bench = Bench::new().await;
    let (first, signal) = request(&bench, "echo");
    bench.tooling.topics.pre_execute.listen(bench.key(), None, Arc::new(CancelBefore(signal)), bench.row.effects());
    assert_eq!(told(&run_call(&bench.tooling.tools, first).await).0, BEFORE);
    let (second, signal) = request(&bench, "echo");
    bench.tooling.topics.execute.listen(bench.key(), None, Arc::new(CancelBefore(signal)), bench.row.effects());
    assert_eq!(told(&run_call(&bench.tooling.tools, second).await).0, BEFORE);
    assert_eq!(bench.seen.take(), [""; 0]);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_success_that_no_body_made_does_not_count_either() {
    let bench = Bench::new().await;
    let request = call_request(bench.agent(), "echo", &json!({ "text": "decide" }));
    let wrapper = Arc::new(CancelBefore(request.signal.clone()));
    bench.tooling.topics.execute.listen(bench.key(), None, wrapper, bench.row.effects());
    let settled = run_call(&bench.tooling.tools, request).await;
    assert_eq!(told(&settled).0, BEFORE);
    assert_eq!(settled.additional_contexts, [context("kept")]);
    bench.harness.teardown().await;
}

/// A body that tells that it runs, waits for its signal, then ends as its arguments say.
fn register_waiting(bench: &Bench) -> Arc<Notify> {
    let started = Arc::new(Notify::new());
    let running = Arc::clone(&started);
    let body = tool_body(move |args, call| {
        let running = Arc::clone(&running);
        Box::pin(async move {
            running.notify_one();
            call.signal.cancelled().await;
            call.defer_context(context("kept"));
            call.conclude_turn();
            if args["fail"] == true { Err(ToolError::coded("ShellError", "KILLED", "it was killed")) } else { Ok(ToolOutput::text("late")) }
        })
    });
    bench.tooling.tools.register(None, tool_spec("wait"), body, bench.row.effects()).unwrap();
    started
}

#[tokio::test]
async fn a_body_that_succeeds_after_the_abort_counts_as_aborted() {
    let bench = Bench::new().await;
    let started = register_waiting(&bench);
    let (request, signal) = request(&bench, "wait");
    let running = tokio::spawn(bench.tooling.tools.prepare(request).await.execute());
    started.notified().await;
    signal.cancel();
    let settled = running.await.unwrap().settle().await;
    assert_eq!(told(&settled), (ABORTED.to_owned(), true, Some("ABORTED")));
    assert_eq!((settled.additional_contexts, settled.concludes_turn), (vec![context("kept")], false));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_body_that_fails_under_the_abort_keeps_its_failure() {
    let bench = Bench::new().await;
    let started = register_waiting(&bench);
    let request = call_request(bench.agent(), "wait", &json!({ "fail": true }));
    let signal = request.signal.clone();
    let running = tokio::spawn(bench.tooling.tools.prepare(request).await.execute());
    started.notified().await;
    signal.cancel();
    assert_eq!(told(&running.await.unwrap().settle().await), ("Error: it was killed".to_owned(), true, Some("KILLED")));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_call_given_up_between_body_and_settlement_counts_as_aborted() {
    let bench = Bench::new().await;
    let (request, signal) = request(&bench, "echo");
    let executed = bench.tooling.tools.prepare(request).await.execute().await;
    signal.cancel();
    assert_eq!(told(&executed.settle().await).0, ABORTED);
    bench.harness.teardown().await;
}

/// Ends the body by a signal of its own and says so in place of the body's result, as a policy of time limits does.
struct Limit;

impl Around<ToolsExecute> for Limit {
    fn call<'a>(&'a self, attempt: &'a mut ToolAttempt, next: Next<'a, ToolsExecute>) -> BoxFuture<'a, Flow<ToolsExecute>> {
        Box::pin(async move {
            let limit = CancellationToken::new();
            attempt.signal = limit.clone();
            let timer = tokio::spawn(async move { limit.cancel() });
            let ended = next.run(attempt).await;
            timer.await.unwrap();
            let error = ToolError::coded("ToolTimeoutError", "TOOL_TIMEOUT", "tool call timed out after 1ms");
            ended.map(|out| {
                let body = out.map(|result| ContentBlock::joined_text(&result.content).to_string());
                assert_eq!(body.unwrap(), "late", "the body was awaited");
                Ok(ToolResult::failure(error))
            })
        })
    }
}

#[tokio::test]
async fn a_wrapper_ends_the_body_by_a_signal_of_its_own() {
    let bench = Bench::new().await;
    register_waiting(&bench);
    bench.tooling.topics.execute.listen(bench.key(), None, Arc::new(Limit), bench.row.effects());
    let (request, signal) = request(&bench, "wait");
    let settled = run_call(&bench.tooling.tools, request).await;
    assert_eq!(told(&settled), ("Error: tool call timed out after 1ms".to_owned(), true, Some("TOOL_TIMEOUT")));
    assert!(!signal.is_cancelled(), "the caller's signal is its own");
    bench.harness.teardown().await;
}

/// Puts a signal that nobody cancels in place of the caller's.
struct Deaf;

impl Around<ToolsExecute> for Deaf {
    fn call<'a>(&'a self, attempt: &'a mut ToolAttempt, next: Next<'a, ToolsExecute>) -> BoxFuture<'a, Flow<ToolsExecute>> {
        attempt.signal = CancellationToken::new();
        next.run(attempt)
    }
}

#[tokio::test]
async fn no_wrapper_keeps_the_caller_s_signal_from_the_body() {
    let bench = Bench::new().await;
    let started = register_waiting(&bench);
    bench.tooling.topics.execute.listen(bench.key(), None, Arc::new(Deaf), bench.row.effects());
    let (request, signal) = request(&bench, "wait");
    let running = tokio::spawn(bench.tooling.tools.prepare(request).await.execute());
    started.notified().await;
    signal.cancel();
    assert_eq!(told(&running.await.unwrap().settle().await).0, ABORTED);
    bench.harness.teardown().await;
}

/// Swaps the call that later listeners see for another.
struct Swap(ToolExecution);

impl Around<ToolsPreExecute> for Swap {
    fn call<'a>(&'a self, call: &'a mut ToolExecution, next: Next<'a, ToolsPreExecute>) -> BoxFuture<'a, Flow<ToolsPreExecute>> {
        *call = self.0.clone();
        next.run(call)
    }
}

/// Keeps the call that it sees.
#[derive(Clone, Default)]
struct Keep(Arc<std::sync::Mutex<Option<ToolExecution>>>);

impl Around<ToolsPreExecute> for Keep {
    fn call<'a>(&'a self, call: &'a mut ToolExecution, next: Next<'a, ToolsPreExecute>) -> BoxFuture<'a, Flow<ToolsPreExecute>> {
        *self.0.lock().unwrap() = Some(call.clone());
        Box::pin(async move { next.decide(Ok(PreExecuteDecision::Allow)) })
    }
}

#[tokio::test]
async fn no_listener_changes_which_call_runs() {
    let bench = Bench::new().await;
    let keep = Keep::default();
    bench.tooling.topics.pre_execute.listen((dsh_runtime::Position::Last, 0), None, Arc::new(keep.clone()), bench.row.effects());
    bench.call("plain", json!({})).await;
    let other = keep.0.lock().unwrap().clone().unwrap();
    bench.tooling.topics.pre_execute.listen(bench.key(), None, Arc::new(Swap(other)), bench.row.effects());
    assert_eq!(told(&bench.call("echo", json!({ "text": "own" })).await).0, "own");
    bench.harness.teardown().await;
}
