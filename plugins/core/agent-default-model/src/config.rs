//! The row's config.

use dsh_runtime::config;

/// The route of agents that are given none.
#[config]
pub struct Config {
    /// Id of the provider's route.
    #[config(non_blank)]
    pub provider: String,
    /// Id of the model at that provider.
    #[config(non_blank)]
    pub model: String,
}
