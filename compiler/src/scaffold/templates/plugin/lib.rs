//! Counts the calls of tools, and lets other plugins ask how many there were.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use dsh_runtime::{MountError, PluginContext, config, plugin, service};
use dsh_tools::{ToolOutcome, ToolsResult};

/// What is counted.
#[config]
pub struct Config {
    /// Names of tools that are not counted.
    #[config(default = [])]
    pub ignored: Vec<String>,
}

/// How often each tool was called in this process.
#[service(key = "{{name}}")]
pub struct {{Type}}Service {
    config: Config,
    calls: Mutex<BTreeMap<String, u64>>,
}

#[plugin(provides({{Type}}Service))]
impl {{Type}}Service {
    /// Starts to count from nothing.
    pub async fn mount(_cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self { config, calls: Mutex::default() })
    }

    /// Counts a call when it has its result.
    #[on(ToolsResult)]
    pub fn count(&self, outcome: &ToolOutcome) {
        let name = outcome.execution.name();
        if !self.config.ignored.iter().any(|ignored| ignored == name) {
            *self.calls.lock().unwrap_or_else(PoisonError::into_inner).entry(name.to_owned()).or_default() += 1;
        }
    }
}

impl {{Type}}Service {
    /// How often a tool was called.
    #[must_use]
    pub fn calls(&self, tool: &str) -> u64 {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).get(tool).copied().unwrap_or_default()
    }
}
