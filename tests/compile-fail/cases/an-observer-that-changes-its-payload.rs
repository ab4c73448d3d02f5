//! Who observes an event sees it and cannot change it: what was announced is the same for everyone.

use dsh_runtime::{MountError, PluginContext, plugin};
use dsh_tools::{ToolOutcome, ToolResult, ToolsResult};
use std::sync::Arc;

pub struct Censor;

#[plugin]
impl Censor {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(ToolsResult)]
    pub fn censor(&self, outcome: &ToolOutcome) {
        outcome.result.content.clear();
        outcome.result = Arc::new(ToolResult { content: Vec::new(), ..(*outcome.result).clone() });
    }
}

fn main() {}
