//! Calls of tools.

use std::sync::Arc;

use dsh_agent::Agent;
use dsh_message::CallId;
use dsh_runtime::CancellationToken;
use dsh_tools::{CallRequest, SettledCall, Tools};
use serde_json::Value;

/// A request as a model makes it, with the id `call_1`.
#[must_use]
pub fn call_request(agent: Arc<dyn Agent>, name: &str, args: &Value) -> CallRequest {
    CallRequest {
        call_id: CallId::from("call_1"),
        name: name.into(),
        arguments: args.to_string().into(),
        agent: Some(agent),
        signal: CancellationToken::new(),
    }
}

/// Calls a tool through all stages.
///
/// # Panics
/// When a stage does.
pub async fn call_tool(tools: &Tools, agent: Arc<dyn Agent>, name: &str, args: Value) -> SettledCall {
    run_call(tools, call_request(agent, name, &args)).await
}

/// Takes a request through all stages; its body runs in a task, as under a scheduler.
///
/// # Panics
/// When a stage does.
pub async fn run_call(tools: &Tools, request: CallRequest) -> SettledCall {
    let prepared = tools.prepare(request).await;
    let executed = tokio::spawn(prepared.execute()).await.expect("no stage of a call panics");
    executed.settle().await
}
