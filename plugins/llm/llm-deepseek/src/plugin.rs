//! The plugin: it registers the adapter.

use std::sync::Arc;

use dsh_llm::Llm;
use dsh_runtime::{Inject, MountError, PluginContext, plugin};
use dsh_session::{Session, SessionDisposed};

use crate::Config;
use crate::adapter::DeepSeekAdapter;

/// What the adapter needs.
#[derive(Inject)]
pub struct Inject {
    /// Where adapters are registered.
    pub llm: Arc<Llm>,
}

/// DeepSeek's models.
pub struct DeepSeek {
    adapter: Arc<DeepSeekAdapter>,
}

/// Serves the provider `deepseek-official` through DeepSeek's chat-completions API.
#[plugin(
    takes(Llm = "deepseek-official"),
    hosts(
        "{base_url}" = "requests to the models, where the config gives this address",
        "DEEPSEEK_BASE_URL" = "requests to the models, where the config gives no address and this variable is set",
        "https://api.deepseek.com" = "requests to the models, where neither gives another address",
    )
)]
impl DeepSeek {
    /// Registers the adapter; neither key nor network is needed yet.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        config.check()?;
        let adapter = Arc::new(DeepSeekAdapter::new(cx.clone(), config));
        inject.llm.register(Arc::clone(&adapter) as _, cx.effects())?;
        Ok(Self { adapter })
    }

    #[on(SessionDisposed, optional)]
    fn forget(&self, session: &Arc<Session>) {
        self.adapter.forget(&session.header().id);
    }
}
