//! A call from its text to its result, without policies.

use crate::support::{Bench, context, told};
use dsh_json::{JsString, Json};
use dsh_message::{CallId, ContentBlock};
use dsh_runtime::{BoxFuture, CancellationToken};
use dsh_session::catalogue::ToolFailure;
use dsh_testkit::{call_request, run_call, tool_spec};
use dsh_tools::{CallRequest, SettledCall, ToolBody, ToolCall, ToolError, ToolExecution, ToolOutput, ToolResult};
use serde_json::{Value, json};

async fn raw(bench: &Bench, name: &str, arguments: &str) -> SettledCall {
    let request = CallRequest { arguments: arguments.into(), ..call_request(bench.agent(), name, &Value::Null) };
    run_call(&bench.tooling.tools, request).await
}

#[tokio::test]
async fn a_success_carries_what_the_body_returned() {
    let bench = Bench::new().await;
    bench.register(tool_spec("meta"), |_, call| {
        call.defer_context(context("later"));
        call.conclude_turn();
        Ok(ToolOutput::new(json!({ "n": 1 }), vec![ContentBlock::text("one")]).with_meta(Json::Bool(true)))
    });
    let settled = bench.call("meta", json!({})).await;
    let expected = SettledCall {
        content: vec![ContentBlock::text("one")],
        is_error: false,
        error: None,
        meta: Some(Json::Bool(true)),
        additional_contexts: vec![context("later")],
        concludes_turn: true,
    };
    assert_eq!(settled, expected);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_body_sees_its_call() {
    let bench = Bench::new().await;
    let seen = bench.seen.clone();
    bench.register(tool_spec("look"), move |args, call| {
        let agent = call.agent.as_ref().map(|agent| agent.id().to_string());
        seen.add(format!("{} {} {} {agent:?} {args}", call.call_id, call.root_call_id, call.name));
        Ok(ToolOutput::text(""))
    });
    bench.call("look", json!({ "undeclared": [1] })).await;
    let id = "Some(\"00000000-0000-4000-8000-000000000001\")";
    assert_eq!(bench.seen.take(), [format!("call_1 call_1 look {id} {{\"undeclared\":[1]}}")]);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn failures_keep_their_name_and_code() {
    let bench = Bench::new().await;
    let coded = bench.call("fail", json!({})).await;
    assert_eq!(told(&coded), ("Error: no such file".to_owned(), true, Some("FS_NOT_FOUND")));
    assert_eq!(coded.error, Some(ToolFailure { name: "FsError".to_owned(), code: "FS_NOT_FOUND".to_owned() }));
    assert_eq!(told(&bench.call("plain", json!({})).await), ("Error: it broke".to_owned(), true, None));
    assert_eq!(told(&bench.call("panic", json!({})).await), ("Error: the tool failed unexpectedly".to_owned(), true, None));
    let unknown = bench.call("x", json!({})).await;
    assert_eq!(told(&unknown), ("Error: unknown tool \"x\"".to_owned(), true, Some("UNKNOWN_TOOL")));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_failed_call_keeps_what_it_deferred_and_does_not_conclude() {
    let bench = Bench::new().await;
    bench.register(tool_spec("both"), |_, call| {
        call.defer_context(context("kept"));
        call.conclude_turn();
        Err(ToolError::plain("no"))
    });
    let settled = bench.call("both", json!({})).await;
    assert_eq!((settled.is_error, settled.additional_contexts, settled.concludes_turn), (true, vec![context("kept")], false));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn arguments_are_checked_before_the_body() {
    let bench = Bench::new().await;
    let wrong = bench.call("echo", json!({ "text": 5 })).await;
    assert_eq!(told(&wrong), ("Error: invalid arguments: text must be of type string, not number".to_owned(), true, Some("INVALID_ARGS")));
    assert_eq!(wrong.error.map(|error| error.name), Some("ToolArgsError".to_owned()));
    let missing = raw(&bench, "echo", "").await;
    assert_eq!(told(&missing).0, "Error: invalid arguments: missing required property \"text\"");
    let string = raw(&bench, "echo", "\"x\"").await;
    assert_eq!(told(&string).0, "Error: invalid arguments: arguments must be of type object, not string");
    assert_eq!(bench.seen.take(), [""; 0], "no body ran");
    bench.harness.teardown().await;
}

#[tokio::test]
async fn arguments_that_are_no_json_are_told_what_is_wrong_and_where() {
    let bench = Bench::new().await;
    let long = format!("{{\"text\": \"{}\", oops}}", "é".repeat(40));
    for (text, problem) in [
        ("{oops", "not JSON: key must be a string at line 1 column 2, near `{oops`"),
        ("{\"text\":", "not JSON: EOF while parsing a value at line 1 column 8, near `{\"text\":`"),
        ("{\"text\": \"a\"\n\"b\"}", "not JSON: expected `,` or `}` at line 2 column 1, near `\"b\"}`"),
        ("{\"text\":\"\\ud800\"}", "not JSON: an escape for half of a character at line 1 column 16, near `{\"text\":\"\\ud800\"}`"),
        (long.as_str(), "not JSON: key must be a string at line 1 column 94, near `ééééééééééé\", oops}`"),
        (" ", "not JSON: EOF while parsing a value at line 1 column 1"),
        ("{\"text\":1e999}", "not JSON: number out of range at line 1 column 13, near `{\"text\":1e999}`"),
    ] {
        let settled = raw(&bench, "echo", text).await;
        assert_eq!(told(&settled), (format!("Error: invalid arguments: {problem}"), true, Some("INVALID_ARGS")), "{text}");
    }
    let request = call_request(bench.agent(), "echo", &Value::Null);
    let lone: JsString = serde_json::from_str(r#""{\"text\":\"é\ud83d\"}""#).unwrap();
    let settled = run_call(&bench.tooling.tools, CallRequest { arguments: lone, ..request }).await;
    assert_eq!(told(&settled).0, "Error: invalid arguments: they hold \\ud83d at character 11, which is half of a character");
    assert_eq!(bench.seen.take(), [""; 0], "no body ran");
    bench.harness.teardown().await;
}

#[tokio::test]
async fn an_empty_text_is_an_empty_object() {
    let bench = Bench::new().await;
    bench.register(tool_spec("args"), |args, _| Ok(ToolOutput::of_value(args)));
    assert_eq!(told(&raw(&bench, "args", "").await).0, "{}");
    assert_eq!(told(&raw(&bench, "args", r#"{"a":5.0,"b":1.5,"a":2e1}"#).await).0, r#"{"a":20,"b":1.5}"#);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn values_without_a_lossless_text_are_refused() {
    let bench = Bench::new().await;
    bench.register(tool_spec("minus"), |_, _| Ok(ToolOutput::of_value(json!([-0.0]))));
    let arguments = raw(&bench, "minus", r#"{"deep":[-0]}"#).await;
    assert_eq!(told(&arguments), ("Error: invalid arguments: arguments must be lossless JSON".to_owned(), true, Some("INVALID_ARGS")));
    let output = bench.call("minus", json!({})).await;
    assert_eq!(told(&output), ("Error: invalid tool output: the value holds minus zero".to_owned(), true, Some("INVALID_TOOL_OUTPUT")));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_name_with_a_lone_surrogate_is_unknown() {
    let bench = Bench::new().await;
    let name: JsString = serde_json::from_str(r#""ec\ud800ho""#).unwrap();
    let request = CallRequest { name, ..call_request(bench.agent(), "", &json!({})) };
    assert_eq!(told(&run_call(&bench.tooling.tools, request).await).0, "Error: unknown tool \"ec\u{fffd}ho\"");
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_call_needs_no_agent() {
    let bench = Bench::new().await;
    let request = CallRequest {
        call_id: CallId::from("c"),
        name: "echo".into(),
        arguments: r#"{"text":"hi"}"#.into(),
        agent: None,
        signal: CancellationToken::new(),
    };
    assert_eq!(told(&run_call(&bench.tooling.tools, request).await), ("hi".to_owned(), false, None));
    bench.harness.teardown().await;
}

/// A tool with a last word.
struct Bounded;

impl ToolBody for Bounded {
    fn call<'a>(&'a self, args: Value, _call: &'a ToolCall) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(
            async move { if args["fail"] == true { Err(ToolError::plain("long words")) } else { Ok(ToolOutput::text("long output")) } },
        )
    }

    fn finalize(&self, execution: &ToolExecution, result: &ToolResult) -> Option<Vec<ContentBlock>> {
        assert_ne!(execution.arguments()["panic"], true);
        Some(vec![ContentBlock::text(format!("{}…", &ContentBlock::joined_text(&result.content).to_lossy()[..4]))])
    }
}

#[tokio::test]
async fn a_tool_changes_what_the_model_reads_last_also_of_failures() {
    let bench = Bench::new().await;
    bench.tooling.tools.register(None, tool_spec("bounded"), std::sync::Arc::new(Bounded), bench.row.effects()).unwrap();
    assert_eq!(told(&bench.call("bounded", json!({})).await), ("long…".to_owned(), false, None));
    assert_eq!(told(&bench.call("bounded", json!({ "fail": true })).await), ("Erro…".to_owned(), true, None));
    let failed = bench.call("bounded", json!({ "panic": true })).await;
    assert_eq!(told(&failed), ("Error: the tool's output failed unexpectedly".to_owned(), true, None));
    bench.harness.teardown().await;
}
