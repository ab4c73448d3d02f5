//! Nobody reads what an observer returns, so it returns nothing, or its failure.

use dsh_runtime::{MountError, PluginContext, plugin};
use dsh_tools::{ToolOutcome, ToolsResult};

pub struct Counter;

#[plugin]
impl Counter {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(ToolsResult)]
    pub fn count(&self, outcome: &ToolOutcome) -> usize {
        outcome.result.content.len()
    }
}

fn main() {}
