//! Wiring that was generated from other declarations than those that are compiled is stale, and says so.

use dsh_runtime::{Confirmed, Declared, MountError, PluginContext, plugin};

pub struct Lamp;

#[plugin]
impl Lamp {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

const _: Confirmed<Lamp> = Confirmed::by(Declared {
    digest: 0x0123_4567_89ab_cdef,
    provides: &[],
    listens: &["dsh-tools::ToolsResult"],
    services: &[],
    dispatches: &[],
});

fn main() {}
