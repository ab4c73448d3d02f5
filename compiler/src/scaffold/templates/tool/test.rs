//! The tool as a model meets it: mounted, called, and gone without a trace.

use {{lib}}::{Config, {{Type}}Tool};
use dsh_runtime::NoInject;
use dsh_testkit::{Harness, TestAgent, call_tool};
use dsh_tools::ToolOutput;
use serde_json::json;

#[tokio::test]
async fn the_tool_answers_and_leaves_nothing_behind() {
    let mut harness = Harness::new();
    let tooling = harness.tooling().await;
    let agent = TestAgent::new(&mut harness, "/project").await;
    let config = Config { greeting: "ahoy".to_owned() };
    let mounted = harness.mount::<{{Type}}Tool>("{{name}}", config, NoInject {}).await;
    tooling.tools.contribute(&mounted).unwrap();
    assert_eq!(tooling.tools.schemas(None).len(), 1, "the model is told of one tool");

    let answer = call_tool(&tooling.tools, agent.clone(), "{{snake}}", json!({ "name": "Ada" })).await;
    assert!(!answer.is_error);
    assert_eq!(answer.content, ToolOutput::text("ahoy Ada").content);
    for wrong in [json!({ "name": " " }), json!({ "nam": "Ada" })] {
        assert!(call_tool(&tooling.tools, agent.clone(), "{{snake}}", wrong).await.is_error);
    }

    let tools = tooling.tools.clone();
    harness.teardown().await;
    assert!(tools.schemas(None).is_empty(), "the tool is gone with its row");
}
