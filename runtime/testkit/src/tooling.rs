//! A tool registry to test with.

use std::sync::Arc;

use dsh_runtime::{Dispatcher, NoConfig, Topic};
use dsh_system_prompt::SystemPrompt;
use dsh_tools::{Tools, ToolsChange, ToolsExecute, ToolsPostExecute, ToolsPreExecute, ToolsResult};

use crate::{EveryInvariant, Harness};

/// The events of tools; a test listens here.
#[derive(Default)]
pub struct ToolTopics {
    /// `tools/pre-execute`
    pub pre_execute: Topic<ToolsPreExecute>,
    /// `tools/execute`
    pub execute: Topic<ToolsExecute>,
    /// `tools/post-execute`
    pub post_execute: Topic<ToolsPostExecute>,
    /// `tools/result`
    pub result: Topic<ToolsResult>,
    /// `tools/change`
    pub change: Topic<ToolsChange>,
}

/// A tool registry with its events and all runtime checks.
pub struct Tooling {
    /// The registry.
    pub tools: Arc<Tools>,
    /// The prompt that it tells its tools to.
    pub prompt: Arc<SystemPrompt>,
    /// Its events.
    pub topics: ToolTopics,
}

impl Harness {
    /// The harness's tool registry, mounted as the rows `system-prompt` and `tools` at the first call.
    ///
    /// # Panics
    /// When it does not mount.
    pub async fn tooling(&mut self) -> Arc<Tooling> {
        if let Some(tooling) = &self.tooling {
            return Arc::clone(tooling);
        }
        let config = dsh_system_prompt::Config {
            include_harness_identity: false,
            include_runtime_context: true,
            persona: String::new(),
            tool_order: None,
        };
        let inject = dsh_system_prompt::Inject { assemble: Dispatcher::detached(), change: Dispatcher::detached() };
        let prompt = self.mount::<SystemPrompt>("system-prompt", config, inject).await.plugin();
        let topics = ToolTopics::default();
        let inject = dsh_tools::Inject {
            system_prompt: Arc::clone(&prompt),
            invariants: Some(Arc::new(EveryInvariant)),
            pre_execute: topics.pre_execute.dispatcher(),
            execute: topics.execute.dispatcher(),
            post_execute: topics.post_execute.dispatcher(),
            result: topics.result.dispatcher(),
            change: topics.change.dispatcher(),
        };
        let tools = self.mount::<Tools>("tools", NoConfig {}, inject).await.plugin();
        let tooling = Arc::new(Tooling { tools, prompt, topics });
        self.tooling = Some(Arc::clone(&tooling));
        tooling
    }
}
