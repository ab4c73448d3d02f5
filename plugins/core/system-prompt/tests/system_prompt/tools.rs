use dsh_runtime::{Scope, Topic};
use dsh_session::ToolSchema;
use dsh_system_prompt::{Config, PromptError, ToolOffer};

use crate::world::{World, bare, mounted};

fn tool(name: &str) -> ToolSchema {
    ToolSchema { name: name.to_owned(), description: String::new(), parameters: serde_json::json!({"type": "object"}) }
}

fn offer(names: &[&str], known: &[&str]) -> ToolOffer {
    ToolOffer { schemas: names.iter().map(|name| tool(name)).collect(), known: known.iter().map(ToString::to_string).collect() }
}

fn ordered(order: &[&str]) -> Config {
    Config { tool_order: Some(order.iter().map(ToString::to_string).collect()), ..bare() }
}

async fn names(world: &World, scope: Option<&Scope>) -> Result<Vec<String>, PromptError> {
    Ok(world.assembly(scope.map(Scope::id)).await?.tools.into_iter().map(|tool| tool.name).collect())
}

#[tokio::test]
async fn tools_of_all_layers_go_by_code_unit() {
    let world = World::new(bare()).await;
    world.prompt.tools(None, |_| Ok(offer(&["read", "bash", "Zed"], &[])), &world.effects);
    let scope = Scope::open("agent");
    world.prompt.tools(Some(scope.id()), |_| Ok(offer(&["edit"], &[])), scope.effects());
    assert_eq!(names(&world, Some(&scope)).await.unwrap(), ["Zed", "bash", "edit", "read"]);
    assert_eq!(names(&world, None).await.unwrap(), ["Zed", "bash", "read"]);
}

#[tokio::test]
async fn a_configured_order_places_the_rest_at_its_mark() {
    let world = World::new(ordered(&["write", "<unlisted-tools>", "bash"])).await;
    world.prompt.tools(None, |_| Ok(offer(&["bash", "a", "write", "z"], &[])), &world.effects);
    assert_eq!(names(&world, None).await.unwrap(), ["write", "a", "z", "bash"]);
}

#[tokio::test]
async fn an_order_may_name_hidden_tools_but_not_unknown_ones() {
    let world = World::new(ordered(&["hidden", "<unlisted-tools>", "gone"])).await;
    world.prompt.tools(None, |_| Ok(offer(&["bash"], &["hidden"])), &world.effects);
    assert_eq!(names(&world, None).await, Err(PromptError::UnknownTool { name: "gone".to_owned() }));
    world.prompt.tools(None, |_| Ok(offer(&[], &["gone"])), &world.effects);
    assert_eq!(names(&world, None).await.unwrap(), ["bash"]);
}

#[tokio::test]
async fn bad_orders_keep_the_row_from_mounting() {
    for (order, expected) in [(vec!["a"], "<unlisted-tools>"), (vec!["a", "<unlisted-tools>", "a"], "twice")] {
        let refused = mounted(ordered(&order), &Topic::new(), &Topic::new()).await.err().unwrap();
        assert!(refused.contains(expected), "{refused}");
    }
}

#[tokio::test]
async fn two_tools_of_one_name_and_failing_sources_are_errors() {
    let world = World::new(bare()).await;
    world.prompt.tools(None, |_| Ok(offer(&["bash"], &[])), &world.effects);
    world.prompt.tools(None, |_| Ok(offer(&["bash"], &[])), &world.effects);
    assert_eq!(names(&world, None).await, Err(PromptError::DuplicateTool { name: "bash".to_owned() }));
    let failing = World::new(bare()).await;
    failing.prompt.tools(None, |_| Err("no code runtime is mounted".to_owned()), &failing.effects);
    assert_eq!(names(&failing, None).await, Err(PromptError::Contributor("no code runtime is mounted".to_owned())));
}
