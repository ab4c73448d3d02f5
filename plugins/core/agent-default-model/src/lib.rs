//! The route of agents that are created without one.

mod config;

pub use config::Config;

use dsh_runtime::{MountError, PluginContext, plugin, service};

/// Provider and model that an agent uses when whoever creates it names none.
#[service(key = "agentDefaultModel")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentDefaultModel {
    /// Id of the provider's route.
    pub provider: String,
    /// Id of the model at that provider.
    pub model: String,
}

#[plugin(provides(AgentDefaultModel))]
impl AgentDefaultModel {
    /// Takes both from the config.
    pub async fn mount(_cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self { provider: config.provider, model: config.model })
    }
}
