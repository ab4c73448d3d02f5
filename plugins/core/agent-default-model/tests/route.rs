//! The service hands on what the row says.

use dsh_agent_default_model::{AgentDefaultModel, Config};
use dsh_runtime::{ConfigMeta, NoInject, PluginContext, Surroundings, mount};

#[tokio::test]
async fn the_service_is_the_configured_pair() {
    let cx = PluginContext::new("agent-default-model", 0, Surroundings::of_process());
    let config = Config { provider: "deepseek-official".to_owned(), model: "deepseek-v4-flash".to_owned() };
    let service = mount::<AgentDefaultModel>(cx, config, NoInject {}).await.unwrap().plugin();
    let expected = AgentDefaultModel { provider: "deepseek-official".to_owned(), model: "deepseek-v4-flash".to_owned() };
    assert_eq!(*service, expected);
}

#[test]
fn blank_names_are_problems() {
    let mut problems = Vec::new();
    Config { provider: " ".to_owned(), model: String::new() }.check("", &mut problems);
    assert_eq!(problems.len(), 2, "{problems:?}");
}
