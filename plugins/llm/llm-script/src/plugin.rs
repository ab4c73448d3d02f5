//! The plugin: it reads the script and registers the adapter.

use std::sync::Arc;

use dsh_llm::Llm;
use dsh_runtime::{Inject, MountError, PluginContext, plugin};

use crate::Config;
use crate::adapter::ScriptAdapter;
use crate::script::Script;

/// What the adapter needs.
#[derive(Inject)]
pub struct Inject {
    /// Where adapters are registered.
    pub llm: Arc<Llm>,
}

/// A model that follows a script.
pub struct ScriptedModel;

/// Serves one provider, whatever the model id, with replies from a file.
#[plugin(takes(Llm = config.provider))]
impl ScriptedModel {
    /// Reads the script, so that a wrong one keeps the row from mounting.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        let script = Script::load(&cx.environment().cwd().join(&config.script)).await.map_err(MountError::new)?;
        inject.llm.register(Arc::new(ScriptAdapter::new(config.provider, script)), cx.effects())?;
        Ok(Self)
    }
}
