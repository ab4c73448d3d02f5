//! What it costs when a listener does not delegate. By accident it does not compile; on purpose it is one visible word.

use std::sync::Arc;

use dsh_runtime::{Flow, MountError, Next, NoConfig, NoInject, PluginContext, plugin};
use dsh_testkit::{Harness, TestAgent, call_tool, tool_body, tool_spec};
use dsh_tools::{PreExecuteDecision, ToolExecution, ToolOutput, ToolsPreExecute};
use serde_json::json;

/// A policy: nothing runs.
pub struct Lockdown;

#[plugin]
impl Lockdown {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(ToolsPreExecute)]
    pub async fn deny(&self, _call: &mut ToolExecution, next: Next<'_, ToolsPreExecute>) -> Flow<ToolsPreExecute> {
        next.decide(Ok(PreExecuteDecision::Deny { reason: "locked".to_owned() }))
    }
}

/// Looks at calls. The row id says whether it hands on what the others say.
pub struct Audit {
    delegates: bool,
}

#[plugin]
impl Audit {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self { delegates: cx.row_id() == "delegating" })
    }

    #[on(ToolsPreExecute, first)]
    pub async fn look(&self, call: &mut ToolExecution, next: Next<'_, ToolsPreExecute>) -> Flow<ToolsPreExecute> {
        if self.delegates { next.run(call).await } else { next.decide(Ok(PreExecuteDecision::Allow)) }
    }
}

/// Whether a call is denied when `audit` listens before the policy.
async fn is_denied(audit: &str) -> bool {
    let mut harness = Harness::new();
    let tooling = harness.tooling().await;
    let agent = TestAgent::new(&mut harness, "/project").await;
    let row = harness.context("test").await;
    let body = tool_body(|_, _| Box::pin(async { Ok(ToolOutput::text("it ran")) }));
    tooling.tools.register(None, tool_spec("open"), body, row.effects()).unwrap();
    tooling.topics.pre_execute.attach(&harness.mount::<Lockdown>("lockdown", NoConfig {}, NoInject {}).await);
    tooling.topics.pre_execute.attach(&harness.mount::<Audit>(audit, NoConfig {}, NoInject {}).await);
    let settled = call_tool(&tooling.tools, Arc::clone(&agent) as _, "open", json!({})).await;
    harness.teardown().await;
    settled.is_error
}

#[tokio::test]
async fn row_05_a_listener_that_decides_cuts_off_the_policy_behind_it() {
    assert!(is_denied("delegating").await, "who delegates leaves the policy in force");
    assert!(!is_denied("deciding").await, "who decides does not");
}
