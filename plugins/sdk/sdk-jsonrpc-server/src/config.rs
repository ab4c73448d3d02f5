//! The row's config.

use dsh_runtime::config;

/// What the server tells of finished child agents.
#[config]
pub struct Config {
    /// Whether a child agent that reached its ceiling of output is reported as a success. This version runs no child agents and
    /// refuses `true`.
    #[config(default = false)]
    pub max_tokens_as_success: bool,
}
