//! What the tests of calls share.

use std::sync::{Arc, Mutex};

use dsh_agent::Agent;
use dsh_message::{ContentBlock, Message, MessageId, MessageSource, PluginSource};
use dsh_runtime::{PluginContext, Position, ScopeId};
use dsh_testkit::{Harness, TestAgent, Tooling, tool_body, tool_spec};
use dsh_tools::{SettledCall, ToolError, ToolOutput, ToolSpec};
use serde_json::{Value, json};

/// A registry with tools, an agent, and a row to register things with.
pub struct Bench {
    pub harness: Harness,
    pub tooling: Arc<Tooling>,
    pub agent: Arc<TestAgent>,
    pub row: PluginContext,
    /// What happened, in order.
    pub seen: Seen,
}

/// Words in order.
#[derive(Clone, Default)]
pub struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    pub fn add(&self, word: impl Into<String>) {
        self.0.lock().unwrap().push(word.into());
    }

    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Bench {
    /// With the tools `echo` (a string `text`, concurrent), `fail` (coded error), `plain` (plain error) and `panic`.
    pub async fn new() -> Self {
        let mut harness = Harness::new();
        let tooling = harness.tooling().await;
        let agent = TestAgent::new(&mut harness, "/project").await;
        let row = harness.context("bench").await;
        let bench = Self { harness, tooling, agent, row, seen: Seen::default() };
        let seen = bench.seen.clone();
        bench.register(echo_spec(), move |args, _| {
            seen.add("body");
            Ok(ToolOutput::text(args["text"].as_str().unwrap_or_default()))
        });
        bench.register(tool_spec("fail"), |_, _| Err(ToolError::coded("FsError", "FS_NOT_FOUND", "no such file")));
        bench.register(tool_spec("plain"), |_, _| Err(ToolError::plain("it broke")));
        bench.register(tool_spec("panic"), |_, _| panic!("the body"));
        bench
    }

    /// Registers a shared tool whose body waits for nothing.
    pub fn register(
        &self,
        spec: ToolSpec,
        run: impl Fn(Value, &dsh_tools::ToolCall) -> Result<ToolOutput, ToolError> + Send + Sync + 'static,
    ) {
        let run = Arc::new(run);
        let body = tool_body(move |args, call| {
            let run = Arc::clone(&run);
            Box::pin(async move { run(args, call) })
        });
        self.tooling.tools.register(None, spec, body, self.row.effects()).unwrap();
    }

    /// Calls a tool for the agent.
    pub async fn call(&self, name: &str, args: Value) -> SettledCall {
        dsh_testkit::call_tool(&self.tooling.tools, self.agent(), name, args).await
    }

    pub fn agent(&self) -> Arc<dyn Agent> {
        Arc::clone(&self.agent) as _
    }

    pub fn scope(&self) -> ScopeId {
        self.agent.scope().id()
    }

    /// Where the bench's listeners stand.
    pub fn key(&self) -> (Position, usize) {
        (Position::Row, self.row.row())
    }
}

pub fn echo_spec() -> ToolSpec {
    let parameters = json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] });
    ToolSpec { parameters, concurrent: true, ..tool_spec("echo") }
}

/// A message that a plugin adds.
pub fn context(text: &str) -> Arc<Message> {
    let source = PluginSource { plugin: "test".to_owned(), form: None, sections: None, summary: None };
    Arc::new(Message::user(MessageId::from(text), vec![ContentBlock::text(text)], MessageSource::Plugin(source)))
}

/// What the model reads of a call, whether it failed, and the code of the failure.
pub fn told(call: &SettledCall) -> (String, bool, Option<&str>) {
    (ContentBlock::joined_text(&call.content).to_string(), call.is_error, call.error.as_ref().map(|error| error.code.as_str()))
}

/// The same as a failure without a code.
pub fn plain_error(text: &str) -> (String, bool, Option<&'static str>) {
    (text.to_owned(), true, None)
}
