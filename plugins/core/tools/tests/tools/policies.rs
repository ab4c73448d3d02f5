//! What listeners and guards do to a call.

use std::sync::Arc;

use crate::support::{Bench, Seen, context, plain_error, told};
use dsh_json::Json;
use dsh_message::ContentBlock;
use dsh_runtime::event::{Around, Flow, Next, observer};
use dsh_runtime::{BoxFuture, ListenerError, Position, WaterfallEvent};
use dsh_testkit::{call_request, run_call, tool_spec};
use dsh_tools::{
    Guard, Outcome, PostExecuteAction, PostExecuteDecision, PreExecuteDecision, ToolAttempt, ToolError, ToolExecution, ToolOutcome,
    ToolOutput, ToolResult, ToolsExecute, ToolsResult, Verdict,
};
use serde_json::json;

/// A listener that decides by a function, or delegates where it yields nothing.
struct Decide<F>(F);

impl<E, F> Around<E> for Decide<F>
where
    E: WaterfallEvent,
    F: Fn(&E::Payload) -> Option<E::Out> + Send + Sync,
{
    fn call<'a>(&'a self, payload: &'a mut E::Payload, next: Next<'a, E>) -> BoxFuture<'a, Flow<E>> {
        match (self.0)(payload) {
            Some(out) => Box::pin(async move { next.decide(out) }),
            None => next.run(payload),
        }
    }
}

impl Bench {
    fn before(&self, decide: impl Fn(&ToolExecution) -> Option<Result<PreExecuteDecision, ListenerError>> + Send + Sync + 'static) {
        let listener = Arc::new(Decide(decide));
        self.tooling.topics.pre_execute.listen(self.key(), None, listener, self.row.effects());
    }

    fn around(&self, decide: impl Fn(&ToolAttempt) -> Option<Result<ToolResult, ListenerError>> + Send + Sync + 'static) {
        self.tooling.topics.execute.listen(self.key(), None, Arc::new(Decide(decide)), self.row.effects());
    }

    fn after(&self, decide: impl Fn(&ToolOutcome) -> Option<Result<PostExecuteDecision, ListenerError>> + Send + Sync + 'static) {
        let listener = Arc::new(Decide(decide));
        self.tooling.topics.post_execute.listen(self.key(), None, listener, self.row.effects());
    }

    /// Notes each stage with its tool, and the result's kind.
    fn watch(&self) {
        let (pre, execute, post, result) = (self.seen.clone(), self.seen.clone(), self.seen.clone(), self.seen.clone());
        self.before(move |call| {
            pre.add(format!("pre {}", call.name()));
            None
        });
        self.around(move |attempt| {
            execute.add(format!("execute {}", attempt.execution.name()));
            None
        });
        self.after(move |outcome| {
            post.add(format!("post {}", outcome.execution.name()));
            None
        });
        let heard = observer::<ToolsResult, _>(move |outcome: &ToolOutcome| {
            result.add(format!("result {}", if outcome.result.is_error() { "error" } else { "success" }));
        });
        self.tooling.topics.result.listen((Position::Last, 0), None, heard, self.row.effects());
    }
}

#[tokio::test]
async fn every_stage_is_heard_in_order() {
    let bench = Bench::new().await;
    bench.watch();
    bench.call("echo", json!({ "text": "hi" })).await;
    assert_eq!(bench.seen.take(), ["pre echo", "execute echo", "body", "post echo", "result success"]);
    bench.call("unknown", json!({})).await;
    assert_eq!(bench.seen.take(), ["pre unknown", "execute unknown", "post unknown", "result error"], "of unknown tools too");
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_denied_call_is_reviewed_but_not_run() {
    let bench = Bench::new().await;
    bench.watch();
    bench.before(|_| Some(Ok(PreExecuteDecision::Deny { reason: "not here".to_owned() })));
    let settled = bench.call("echo", json!({ "text": "hi" })).await;
    assert_eq!(told(&settled), plain_error("Error: not here"));
    assert_eq!(bench.seen.take(), ["pre echo", "post echo", "result error"]);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn asking_is_refusing_where_nobody_can_be_asked() {
    let bench = Bench::new().await;
    bench.before(|call| Some(Ok(PreExecuteDecision::Ask { reason: (call.name() == "echo").then(|| "may it?".to_owned()) })));
    assert_eq!(told(&bench.call("echo", json!({ "text": "" })).await), plain_error("Error: may it?"));
    let expected = plain_error("Error: tool \"plain\" requires approval, which is not available here");
    assert_eq!(told(&bench.call("plain", json!({})).await), expected);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_failing_or_panicking_policy_before_the_call_ends_it_without_review() {
    let bench = Bench::new().await;
    bench.watch();
    bench.before(|call| match call.name() {
        "echo" => Some(Err(ListenerError::new("the hook failed"))),
        _ => panic!("the hook"),
    });
    assert_eq!(told(&bench.call("echo", json!({ "text": "" })).await), plain_error("Error: the hook failed"));
    let expected = plain_error("Error: a policy before the call failed unexpectedly");
    assert_eq!(told(&bench.call("plain", json!({})).await), expected);
    assert_eq!(bench.seen.take(), ["pre echo", "result error", "pre plain", "result error"]);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_failing_or_panicking_wrapper_ends_the_call_without_review() {
    let bench = Bench::new().await;
    bench.watch();
    bench.around(|attempt| match attempt.execution.name() {
        "echo" => Some(Err(ListenerError::new("no checkpoint"))),
        _ => panic!("the wrapper"),
    });
    assert_eq!(told(&bench.call("echo", json!({ "text": "" })).await), plain_error("Error: no checkpoint"));
    let expected = plain_error("Error: a policy around the call failed unexpectedly");
    assert_eq!(told(&bench.call("plain", json!({})).await), expected);
    assert_eq!(bench.seen.take(), ["pre echo", "execute echo", "result error", "pre plain", "execute plain", "result error"]);
    bench.harness.teardown().await;
}

struct Named(&'static str, Seen);

impl Guard for Named {
    fn check(&self, call: &ToolExecution) -> Verdict {
        self.1.add(self.0);
        match call.name() {
            "echo" if self.0 == "own" => Verdict::Deny("guarded".to_owned()),
            "panic" => panic!("the guard"),
            _ => Verdict::Abstain,
        }
    }
}

#[tokio::test]
async fn a_guard_denies_what_policy_allowed_and_shared_guards_are_asked_first() {
    let bench = Bench::new().await;
    bench.before(|_| Some(Ok(PreExecuteDecision::Allow)));
    let guard = |name| Arc::new(Named(name, bench.seen.clone()));
    bench.tooling.tools.guard(Some(bench.scope()), guard("own"), bench.row.effects());
    bench.tooling.tools.guard(None, guard("shared"), bench.row.effects());
    assert_eq!(told(&bench.call("echo", json!({ "text": "" })).await), plain_error("Error: guarded"));
    assert_eq!(bench.seen.take(), ["shared", "own"]);
    assert_eq!(told(&bench.call("panic", json!({})).await), plain_error("Error: a guard of the call failed unexpectedly"));
    assert_eq!(bench.seen.take(), ["shared"], "a guard that panics denies");
    let mut other = call_request(bench.agent(), "echo", &json!({ "text": "free" }));
    other.agent = None;
    assert_eq!(told(&run_call(&bench.tooling.tools, other).await).0, "free", "the agent's guard is its own");
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_listener_of_an_agent_hears_its_calls_alone() {
    let bench = Bench::new().await;
    let deny = Arc::new(Decide(|_: &ToolExecution| Some(Ok(PreExecuteDecision::Deny { reason: "mine".to_owned() }))));
    bench.tooling.topics.pre_execute.listen(bench.key(), Some(bench.scope()), deny, bench.row.effects());
    assert_eq!(told(&bench.call("echo", json!({ "text": "" })).await), plain_error("Error: mine"));
    let mut other = call_request(bench.agent(), "echo", &json!({ "text": "free" }));
    other.agent = None;
    assert_eq!(told(&run_call(&bench.tooling.tools, other).await).0, "free");
    bench.harness.teardown().await;
}

/// Runs the rest a second time where the first failed, and adds a message.
struct Retry;

impl Around<ToolsExecute> for Retry {
    fn call<'a>(&'a self, attempt: &'a mut ToolAttempt, next: Next<'a, ToolsExecute>) -> BoxFuture<'a, Flow<ToolsExecute>> {
        Box::pin(async move {
            let first = next.again().run(attempt).await;
            if first.get().as_ref().is_ok_and(|result| !result.is_error()) {
                return first;
            }
            next.run(attempt).await.map(|out| out.map(|result| result.with_contexts(vec![context("wrapper")])))
        })
    }
}

#[tokio::test]
async fn a_wrapper_may_run_the_body_again_and_its_messages_follow_the_body_s() {
    let bench = Bench::new().await;
    let seen = bench.seen.clone();
    bench.register(tool_spec("flaky"), move |_, call| {
        seen.add("run");
        let runs = seen.take();
        runs.iter().for_each(|run| seen.add(run.as_str()));
        call.defer_context(context(&format!("body {}", runs.len())));
        if runs.len() == 1 { Err(ToolError::plain("once")) } else { Ok(ToolOutput::text("done")) }
    });
    bench.tooling.topics.execute.listen(bench.key(), None, Arc::new(Retry), bench.row.effects());
    let settled = bench.call("flaky", json!({})).await;
    assert_eq!(told(&settled), ("done".to_owned(), false, None));
    assert_eq!(settled.additional_contexts, [context("body 2"), context("wrapper")]);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_blocked_call_reads_as_its_feedback_and_loses_what_it_deferred() {
    let bench = Bench::new().await;
    bench.register(tool_spec("defers"), |_, call| {
        call.defer_context(context("dropped"));
        call.conclude_turn();
        Ok(ToolOutput::text("ok").with_meta(Json::Null))
    });
    bench.after(|_| Some(Ok(PostExecuteDecision::block("do not").with_context(context("why")))));
    let settled = bench.call("defers", json!({})).await;
    assert_eq!(told(&settled), plain_error("do not"));
    assert_eq!((settled.meta, settled.additional_contexts, settled.concludes_turn), (None, vec![context("why")], false));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_review_replaces_content_or_value() {
    let bench = Bench::new().await;
    bench.register(tool_spec("meta"), |_, call| {
        call.conclude_turn();
        Ok(ToolOutput::text("ok").with_meta(Json::Bool(true)))
    });
    bench.after(|outcome| {
        let action = match (&outcome.result.outcome, outcome.execution.arguments()["by"].as_str()) {
            (_, Some("value")) => PostExecuteAction::ReplaceValue(json!({ "n": 1 })),
            (_, Some("minus")) => PostExecuteAction::ReplaceValue(json!(-0.0)),
            (Outcome::Success { .. } | Outcome::Failure(_), _) => {
                PostExecuteAction::ReplaceContent(vec![ContentBlock::text("other words")])
            }
        };
        Some(Ok(PostExecuteDecision { action, ..PostExecuteDecision::accept() }.with_context(context("added"))))
    });
    let content = bench.call("meta", json!({})).await;
    assert_eq!((told(&content).0.as_str(), content.meta, content.concludes_turn), ("other words", Some(Json::Bool(true)), true));
    assert_eq!(content.additional_contexts, [context("added")]);
    assert_eq!(told(&bench.call("fail", json!({})).await), ("other words".to_owned(), true, Some("FS_NOT_FOUND")));
    let value = bench.call("meta", json!({ "by": "value" })).await;
    assert_eq!((told(&value).0.as_str(), value.meta, value.concludes_turn), (r#"{"n":1}"#, None, true));
    let of_failure = bench.call("plain", json!({ "by": "value" })).await;
    assert_eq!(told(&of_failure), plain_error("Error: a policy replaced the value of a failed call"));
    assert_eq!(told(&bench.call("meta", json!({ "by": "minus" })).await).2, Some("INVALID_TOOL_OUTPUT"));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_failing_or_panicking_review_becomes_the_result() {
    let bench = Bench::new().await;
    bench.after(|outcome| match outcome.execution.name() {
        "echo" => Some(Err(ListenerError::new("no review"))),
        _ => panic!("the review"),
    });
    assert_eq!(told(&bench.call("echo", json!({ "text": "" })).await), plain_error("Error: no review"));
    let expected = plain_error("Error: a policy after the call failed unexpectedly");
    assert_eq!(told(&bench.call("fail", json!({})).await), expected);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn observers_of_results_change_nothing() {
    let bench = Bench::new().await;
    let failing = observer::<ToolsResult, _>(|_: &ToolOutcome| Err::<(), _>(ListenerError::new("observer")));
    bench.tooling.topics.result.listen(bench.key(), None, failing, bench.row.effects());
    assert_eq!(told(&bench.call("echo", json!({ "text": "hi" })).await), ("hi".to_owned(), false, None));
    bench.harness.teardown().await;
}
