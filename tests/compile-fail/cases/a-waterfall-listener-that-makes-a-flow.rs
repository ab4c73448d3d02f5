//! Only `next` makes a `Flow`: a listener delegates with `next.run(…)` or takes the decision with `next.decide(…)`.

use dsh_runtime::{Flow, MountError, Next, PluginContext, plugin};
use dsh_tools::{PreExecuteDecision, ToolExecution, ToolsPreExecute};

pub struct Permissive;

#[plugin]
impl Permissive {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(ToolsPreExecute)]
    pub async fn allow(&self, _call: &mut ToolExecution, _next: Next<'_, ToolsPreExecute>) -> Flow<ToolsPreExecute> {
        Flow { out: Ok(PreExecuteDecision::Allow) }
    }
}

fn main() {}
