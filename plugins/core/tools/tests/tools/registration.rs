//! What may be registered, and what each agent then sees.

use std::sync::Arc;

use crate::support::{Bench, echo_spec, told};
use dsh_runtime::event::observer;
use dsh_runtime::{EffectStack, MountError, Scope, ScopeId};
use dsh_system_prompt::AssembleContext;
use dsh_testkit::{TestAgent, call_request, tool_body, tool_spec};
use dsh_tools::{CallRequest, Restriction, ToolBody, ToolOutput, ToolSpec, ToolsChange};
use serde_json::json;

fn says(text: &'static str) -> Arc<dyn ToolBody> {
    tool_body(move |_, _| Box::pin(async move { Ok(ToolOutput::text(text)) }))
}

impl Bench {
    fn try_register(&self, scope: Option<ScopeId>, spec: ToolSpec, text: &'static str) -> Result<(), MountError> {
        self.tooling.tools.register(scope, spec, says(text), self.row.effects())
    }

    fn refusal(&self, spec: ToolSpec) -> String {
        self.try_register(None, spec, "").unwrap_err().to_string()
    }

    fn names(&self, scope: Option<ScopeId>) -> Vec<String> {
        self.tooling.tools.schemas(scope).into_iter().map(|schema| schema.name).collect()
    }
}

#[tokio::test]
async fn tools_are_told_ascending_by_name() {
    let bench = Bench::new().await;
    for name in ["b-2", "Z", "b_1", "a"] {
        bench.try_register(None, tool_spec(name), "").unwrap();
    }
    assert_eq!(bench.names(None), ["Z", "a", "b-2", "b_1", "echo", "fail", "panic", "plain"]);
    let schema = bench.tooling.tools.schemas(None).into_iter().find(|schema| schema.name == "echo").unwrap();
    assert_eq!(schema, echo_spec().schema());
    bench.harness.teardown().await;
}

#[tokio::test]
async fn wrong_declarations_are_refused() {
    let bench = Bench::new().await;
    let long = "x".repeat(65);
    for name in ["", "a b", "é", &long] {
        assert!(bench.refusal(tool_spec(name)).contains("cannot be the name of a tool"), "{name}");
    }
    assert_eq!(bench.refusal(tool_spec("run_code")), "the tool name `run_code` is reserved");
    assert_eq!(bench.refusal(tool_spec("echo")), "a tool named `echo` is already registered");
    assert_eq!(bench.refusal(ToolSpec { timeout_ms: Some(0), ..tool_spec("t") }), "the time limit of the tool `t` is not positive");
    let parameters = json!({ "type": "object", "properties": { "a": { "pattern": "x", "minimum": 1 } } });
    let expected = "UNSUPPORTED_SCHEMA: tool `t`: parameters.properties.a.pattern: this keyword is not supported; \
        parameters.properties.a.minimum: this keyword is not supported";
    assert_eq!(bench.refusal(ToolSpec { parameters, ..tool_spec("t") }), expected);
    assert_eq!(bench.names(None), ["echo", "fail", "panic", "plain"], "nothing of them was kept");
    bench.harness.teardown().await;
}

#[tokio::test]
async fn an_agent_s_own_tool_replaces_the_shared_one_for_it_alone() {
    let mut bench = Bench::new().await;
    let other = TestAgent::new(&mut bench.harness, "/other").await;
    bench.try_register(Some(bench.scope()), tool_spec("echo"), "own").unwrap();
    bench.try_register(Some(bench.scope()), tool_spec("extra"), "extra").unwrap();
    assert_eq!(told(&bench.call("echo", json!({})).await).0, "own");
    assert_eq!(bench.names(Some(bench.scope())), ["echo", "extra", "fail", "panic", "plain"]);
    let settled = dsh_testkit::call_tool(&bench.tooling.tools, other, "extra", json!({})).await;
    assert_eq!(told(&settled).2, Some("UNKNOWN_TOOL"));
    assert_eq!(bench.names(None), ["echo", "fail", "panic", "plain"]);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_restriction_limits_shared_tools_and_never_the_agent_s_own() {
    let bench = Bench::new().await;
    let scope = bench.scope();
    let limits = EffectStack::new("limits");
    let allow = Restriction { allow: Some(vec!["echo".to_owned(), "fail".to_owned()]), deny: Vec::new() };
    bench.tooling.tools.restrict(scope, allow, &limits).unwrap();
    let deny = Restriction { allow: None, deny: vec!["fail".to_owned()] };
    bench.tooling.tools.restrict(scope, deny, &limits).unwrap();
    bench.try_register(Some(scope), tool_spec("plain"), "own").unwrap();
    bench.try_register(None, tool_spec("later"), "").unwrap();
    assert_eq!(bench.names(Some(scope)), ["echo", "plain"]);
    assert_eq!(told(&bench.call("fail", json!({})).await).2, Some("UNKNOWN_TOOL"));
    assert_eq!(told(&bench.call("plain", json!({})).await).0, "own");
    assert_eq!(bench.names(None), ["echo", "fail", "later", "panic", "plain"]);
    limits.unwind().await;
    assert_eq!(bench.names(Some(scope)), ["echo", "fail", "later", "panic", "plain"]);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_restriction_names_shared_tools() {
    let bench = Bench::new().await;
    let scope = bench.scope();
    bench.try_register(Some(scope), tool_spec("own"), "").unwrap();
    for name in ["nope", "own", "run_code"] {
        let restriction = Restriction { allow: None, deny: vec![name.to_owned()] };
        let refused = bench.tooling.tools.restrict(scope, restriction, bench.row.effects()).unwrap_err().to_string();
        assert_eq!(refused, format!("a tool restriction names `{name}`, which is no shared tool"));
    }
    let empty = bench.tooling.tools.restrict(scope, Restriction::default(), bench.row.effects()).unwrap_err().to_string();
    assert_eq!(empty, "a tool restriction names what it allows or denies");
    bench.harness.teardown().await;
}

/// A preset's tools are shared by the agents that joined it: inherited by each, and by nobody else.
#[tokio::test]
async fn a_preset_stands_between_an_agent_and_the_shared_tools() {
    let mut bench = Bench::new().await;
    bench.harness.offer("code", (), |_, ()| Box::pin(async { Ok(()) }));
    let preset = bench.row.presets().select("code").await.unwrap();
    let (joined, alone) = (Scope::open_in(Some(preset), "joined"), Scope::open("alone"));
    bench.try_register(Some(preset.scope()), tool_spec("echo"), "of the preset").unwrap();
    bench.try_register(Some(preset.scope()), tool_spec("extra"), "of the preset").unwrap();
    bench.try_register(Some(joined.id()), tool_spec("own"), "of the agent").unwrap();
    let names = |scope: &Scope| bench.names(Some(scope.id()));
    assert_eq!(names(&joined), ["echo", "extra", "fail", "own", "panic", "plain"]);
    assert_eq!(names(&alone), ["echo", "fail", "panic", "plain"]);
    // What is inherited can be restricted, by names that the agent sees.
    let deny = |names: &[&str]| Restriction { deny: names.iter().map(ToString::to_string).collect(), ..Restriction::default() };
    let restrict = |scope: &Scope, names: &[&str]| bench.tooling.tools.restrict(scope.id(), deny(names), bench.row.effects());
    restrict(&joined, &["extra", "plain"]).unwrap();
    assert_eq!(names(&joined), ["echo", "fail", "own", "panic"]);
    assert!(restrict(&alone, &["extra"]).unwrap_err().to_string().contains("extra"));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn the_prompt_is_told_of_what_each_agent_sees() {
    let bench = Bench::new().await;
    let restriction = Restriction { allow: Some(vec!["echo".to_owned()]), deny: Vec::new() };
    bench.tooling.tools.restrict(bench.scope(), restriction, bench.row.effects()).unwrap();
    let context = AssembleContext { agent: Some(bench.agent()), scope: Some(bench.scope()) };
    let own = bench.tooling.prompt.assemble(context).await.unwrap();
    assert_eq!(own.tools, [echo_spec().schema()]);
    let shared = bench.tooling.prompt.assemble(AssembleContext::default()).await.unwrap();
    assert_eq!(shared.tools, bench.tooling.tools.schemas(None));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn a_contributor_that_ends_leaves_nothing() {
    let bench = Bench::new().await;
    let tools = &bench.tooling.tools;
    let (before, effects) = (tools.schemas(None), EffectStack::new("contributor"));
    tools.register(None, tool_spec("t"), says(""), &effects).unwrap();
    assert_ne!(tools.schemas(None), before);
    effects.unwind().await;
    assert_eq!(tools.schemas(None), before);
    tools.register(None, tool_spec("t"), says(""), bench.row.effects()).unwrap();
    bench.harness.teardown().await;
}

#[tokio::test]
async fn every_change_is_announced_also_its_undoing() {
    let bench = Bench::new().await;
    let (seen, tools) = (bench.seen.clone(), Arc::clone(&bench.tooling.tools));
    let count = observer::<ToolsChange, _>(move |(): &()| seen.add(tools.schemas(None).len().to_string()));
    bench.tooling.topics.change.listen(bench.key(), None, count, bench.row.effects());
    let effects = EffectStack::new("tool");
    bench.tooling.tools.register(None, tool_spec("t"), says(""), &effects).unwrap();
    assert_eq!(bench.seen.take(), ["5"]);
    effects.unwind().await;
    assert_eq!(bench.seen.take(), ["4"]);
    bench.harness.teardown().await;
}

#[tokio::test]
async fn calls_overlap_only_when_their_tool_says_so_and_takes_them() {
    let bench = Bench::new().await;
    let concurrent = |name: &str, arguments: &str| {
        let request = CallRequest { arguments: arguments.into(), ..call_request(bench.agent(), name, &json!({})) };
        bench.tooling.tools.is_concurrent(&request)
    };
    assert!(concurrent("echo", r#"{"text":"x"}"#));
    assert!(!concurrent("echo", "{}"));
    assert!(!concurrent("echo", "{"));
    assert!(!concurrent("plain", "{}"));
    assert!(!concurrent("unknown", "{}"));
    let restriction = Restriction { allow: None, deny: vec!["echo".to_owned()] };
    bench.tooling.tools.restrict(bench.scope(), restriction, bench.row.effects()).unwrap();
    assert!(!concurrent("echo", r#"{"text":"x"}"#), "hidden");
    bench.harness.teardown().await;
}
