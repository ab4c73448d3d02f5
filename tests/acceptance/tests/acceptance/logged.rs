//! What a model sees was logged. A history cannot be made or added to (that does not compile); an outdated one is refused.

use std::sync::{Arc, Mutex};

use dsh_llm::{LlmRequest, RequestMessages};
use dsh_runtime::{CancellationToken, InvariantError, ListenerError};
use dsh_session::CallConfig;
use dsh_testkit::{Reply, ScriptedModel, tool_body, tool_spec};
use dsh_tools::ToolOutput;
use serde_json::json;

use crate::world::{World, lock};

#[tokio::test]
async fn row_07_every_request_is_what_the_log_says_at_its_moment() {
    let world = World::new([Reply::tool("look", &json!({})), Reply::text("done")]).await;
    let body = tool_body(|_, _| Box::pin(async { Ok(ToolOutput::text("a tree")) }));
    world.tooling.tools.register(None, tool_spec("look"), body, world.row.effects()).unwrap();
    let agent = world.agent().await;
    world.prompt(&agent, "what is there?").await;
    let logged = agent.session().history();
    let calls = world.model.calls();
    assert_eq!(calls.len(), 2);
    for call in &calls {
        let RequestMessages::Logged(sent) = &call.request.messages else { panic!("a step is sent what its log derives") };
        assert_eq!(sent.messages(), &logged.messages()[..sent.messages().len()]);
    }
    assert_eq!(calls[1].request.messages.as_slice().len(), 3, "prompt, reply and result");
    world.teardown().await;
}

#[tokio::test]
async fn row_07_a_request_beside_the_log_breaks_an_invariant() {
    let world = World::new([Reply::tool("ask", &json!({})), Reply::text("done")]).await;
    let agent = world.agent().await;
    let outdated = agent.session().history();
    let (llm, broken) = (Arc::clone(&world.llm), Arc::new(Mutex::new(None)));
    let told = Arc::clone(&broken);
    let body = tool_body(move |_, _| {
        let (llm, outdated, told) = (Arc::clone(&llm), outdated.clone(), Arc::clone(&told));
        Box::pin(async move {
            let signal = CancellationToken::new();
            let config = CallConfig { provider: ScriptedModel::PROVIDER.to_owned(), model: "m".to_owned(), ..CallConfig::default() };
            let prepared = llm.prepare(config, &signal).await.expect("the route is there");
            let messages = RequestMessages::Logged(outdated);
            let request = LlmRequest { messages, system: None, tools: Arc::new([]), session: None, purpose: None, signal };
            *lock(&told) = llm.stream(prepared, request).await.err();
            Ok(ToolOutput::text("asked"))
        })
    });
    world.tooling.tools.register(None, tool_spec("ask"), body, world.row.effects()).unwrap();
    world.prompt(&agent, "go").await;
    let expected = InvariantError::new("dsh-agent-loop", "the messages of a request of session `s` are not those of its log");
    assert!(matches!(&*lock(&broken), Some(ListenerError::Invariant(broken)) if *broken == expected), "{broken:?}");
    assert_eq!(world.model.calls().len(), 2, "the model was not asked");
    world.teardown().await;
}
