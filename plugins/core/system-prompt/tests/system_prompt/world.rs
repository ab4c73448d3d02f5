//! A mounted registry with its events.

use std::sync::Arc;

use dsh_runtime::{EffectStack, PluginContext, ScopeId, Surroundings, Topic, mount};
use dsh_system_prompt::{
    AssembleContext, Assembly, Config, Inject, PromptError, Rendered, SystemPrompt, SystemPromptAssemble, SystemPromptChange, render,
};

pub struct World {
    pub prompt: Arc<SystemPrompt>,
    pub assemble: Topic<SystemPromptAssemble>,
    pub change: Topic<SystemPromptChange>,
    pub effects: EffectStack,
}

pub fn bare() -> Config {
    Config { include_harness_identity: false, include_runtime_context: true, persona: String::new(), tool_order: None }
}

pub async fn mounted(
    config: Config,
    assemble: &Topic<SystemPromptAssemble>,
    change: &Topic<SystemPromptChange>,
) -> Result<Arc<SystemPrompt>, String> {
    let cx = PluginContext::new("system-prompt", 0, Surroundings::of_process());
    let inject = Inject { assemble: assemble.dispatcher(), change: change.dispatcher() };
    mount::<SystemPrompt>(cx, config, inject).await.map(|mounted| mounted.plugin()).map_err(|error| error.to_string())
}

impl World {
    pub async fn new(config: Config) -> Self {
        let (assemble, change) = (Topic::new(), Topic::new());
        let prompt = mounted(config, &assemble, &change).await.unwrap();
        Self { prompt, assemble, change, effects: EffectStack::new("test") }
    }

    pub async fn assembly(&self, scope: Option<ScopeId>) -> Result<Assembly, PromptError> {
        self.prompt.assemble(AssembleContext { agent: None, scope }).await
    }

    pub async fn rendered(&self, scope: Option<ScopeId>) -> Result<Rendered, PromptError> {
        render(&self.assembly(scope).await?)
    }

    pub async fn system(&self, scope: Option<ScopeId>) -> Option<String> {
        self.rendered(scope).await.unwrap().system
    }
}
