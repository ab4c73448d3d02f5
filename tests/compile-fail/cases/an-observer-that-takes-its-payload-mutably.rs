//! A method that changes what it hears is a listener of a waterfall; an observer takes `&Payload`.

use dsh_runtime::{MountError, PluginContext, plugin};
use dsh_tools::{ToolOutcome, ToolsResult};

pub struct Censor;

#[plugin]
impl Censor {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(ToolsResult)]
    pub fn censor(&self, outcome: &mut ToolOutcome) {}
}

fn main() {}
