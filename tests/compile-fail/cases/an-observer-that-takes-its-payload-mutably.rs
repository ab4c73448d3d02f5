//! A method that changes what it hears is a listener of a waterfall; an observer takes `&Payload`.

use dsh_runtime::{MountError, PluginContext, plugin};
use dsh_tools::ToolOutcome;

pub struct Censor;

#[plugin]
impl Censor {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(dsh_tools::ToolsResult)]
    pub fn censor(&self, _outcome: &mut ToolOutcome) {}
}

fn main() {}
