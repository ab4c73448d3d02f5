//! `next` runs once. Only an event that is declared `repeatable` has another handle on the rest of the chain.

use dsh_runtime::{Flow, MountError, Next, PluginContext, event, plugin};
use dsh_tools::{ToolExecution, ToolsPreExecute};

pub struct Insistent;

#[plugin]
impl Insistent {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(ToolsPreExecute)]
    pub async fn twice(&self, call: &mut ToolExecution, next: Next<'_, ToolsPreExecute>) -> Flow<ToolsPreExecute> {
        let first = next.run(call).await;
        if first.get().is_err() { next.run(call).await } else { first }
    }

    #[on(LightDimming)]
    pub async fn again(&self, level: &mut u32, next: Next<'_, LightDimming>) -> Flow<LightDimming> {
        let first = next.again().run(level).await;
        if *first.get() == 0 { next.run(level).await } else { first }
    }
}

#[event(name = "light/dimming", mode = waterfall, payload = u32, out = u32)]
pub struct LightDimming;

fn main() {}
