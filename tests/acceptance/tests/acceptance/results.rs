//! A tool that fails costs its call and nothing else. That nobody changes a result once it is announced is a matter of types.

use std::sync::{Arc, Mutex};

use dsh_message::ContentBlock;
use dsh_runtime::Position;
use dsh_runtime::event::observer;
use dsh_session::catalogue::{ToolResultRecord, TurnEndReason};
use dsh_testkit::{Reply, tool_body, tool_spec};
use dsh_tools::{ToolError, ToolOutcome, ToolsResult};
use serde_json::json;

use crate::world::{World, lock};

#[tokio::test]
async fn row_11_a_failing_tool_becomes_a_result_and_the_turn_goes_on() {
    let world = World::new([Reply::tools([("fails", json!({})), ("panics", json!({}))]), Reply::text("I see")]).await;
    let fails = tool_body(|_, _| Box::pin(async { Err(ToolError::plain("disk full")) }));
    let panics = tool_body(|_, _| Box::pin(async { panic!("a fault of the tool") }));
    for (name, body) in [("fails", fails), ("panics", panics)] {
        world.tooling.tools.register(None, tool_spec(name), body, world.row.effects()).unwrap();
    }
    let announced: Arc<Mutex<Vec<Vec<ContentBlock>>>> = Arc::default();
    let seen = Arc::clone(&announced);
    let listener = observer::<ToolsResult, _>(move |outcome: &ToolOutcome| lock(&seen).push(outcome.result.content.clone()));
    world.tooling.topics.result.listen((Position::Row, world.row.row()), None, listener, world.row.effects());
    let agent = world.agent().await;
    world.prompt(&agent, "go").await;

    let records: Vec<ToolResultRecord> = world.log().iter().filter_map(|event| event.data()).collect();
    let results = records.iter().map(|record| match record.message.content.as_slice() {
        [ContentBlock::ToolResult { content, is_error: Some(true), .. }] => content.clone(),
        other => panic!("a failed result: {other:?}"),
    });
    let results: Vec<Vec<ContentBlock>> = results.collect();
    assert_eq!(results[0], [ContentBlock::text("Error: disk full")]);
    assert_eq!(results.len(), 2);
    assert_eq!(*lock(&announced), results, "what was announced is what the model reads");
    assert_eq!(world.model.calls().len(), 2, "the model is told");
    assert_eq!(world.endings(), [TurnEndReason::Completed]);
    world.teardown().await;
}
