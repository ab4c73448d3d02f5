//! A listener that asks the others and then says something of its own hands on their flow, changed with `map`.

use dsh_runtime::{Flow, MountError, Next, PluginContext, plugin};
use dsh_tools::{PreExecuteDecision, ToolExecution, ToolsPreExecute};

pub struct Audit;

#[plugin]
impl Audit {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(ToolsPreExecute)]
    pub async fn note(&self, call: &mut ToolExecution, next: Next<'_, ToolsPreExecute>) -> Flow<ToolsPreExecute> {
        next.run(call).await;
        Ok(PreExecuteDecision::Allow)
    }
}

fn main() {}
