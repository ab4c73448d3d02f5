//! The plugin at its boundary: it hears of calls while it is mounted, and of nothing afterwards.

use {{lib}}::{Config, {{Type}}Service};
use dsh_runtime::NoInject;
use dsh_testkit::{Harness, TestAgent, call_tool, tool_body, tool_spec};
use dsh_tools::ToolOutput;
use serde_json::json;

#[tokio::test]
async fn calls_are_counted_and_nothing_is_left_behind() {
    let mut harness = Harness::new();
    let tooling = harness.tooling().await;
    let agent = TestAgent::new(&mut harness, "/project").await;
    let row = harness.context("tools-of-the-test").await;
    for name in ["echo", "secret"] {
        let body = tool_body(|_args, call| Box::pin(async move { Ok(ToolOutput::text(call.name.as_str())) }));
        tooling.tools.register(None, tool_spec(name), body, row.effects()).unwrap();
    }
    let config = Config { ignored: vec!["secret".to_owned()] };
    let mounted = harness.mount::<{{Type}}Service>("{{name}}", config, NoInject {}).await;
    tooling.topics.result.attach(&mounted);
    let service = mounted.plugin();

    for name in ["echo", "secret", "echo"] {
        call_tool(&tooling.tools, agent.clone(), name, json!({})).await;
    }
    assert_eq!([service.calls("echo"), service.calls("secret"), service.calls("other")], [2, 0, 0]);

    harness.teardown().await;
    assert_eq!(service.calls("echo"), 2);
}
