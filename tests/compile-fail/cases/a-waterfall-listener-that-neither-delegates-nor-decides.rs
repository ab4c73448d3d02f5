//! Forgetting `next` would cut off everyone behind the listener without a word. It does not compile.

use dsh_runtime::{Flow, MountError, Next, PluginContext, plugin};
use dsh_tools::{ToolExecution, ToolsPreExecute};

pub struct Audit;

#[plugin]
impl Audit {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(ToolsPreExecute)]
    pub async fn note(&self, call: &mut ToolExecution, next: Next<'_, ToolsPreExecute>) -> Flow<ToolsPreExecute> {
        println!("{} is called", call.name());
    }
}

fn main() {}
