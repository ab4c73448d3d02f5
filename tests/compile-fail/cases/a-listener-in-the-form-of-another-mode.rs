//! The form of a listener follows from the mode of its event.

use dsh_runtime::{Flow, ListenerError, MountError, Next, PluginContext, event, plugin};

#[event(name = "light/switched", mode = emit, payload = u32)]
pub struct LightSwitched;

#[event(name = "light/leaving", mode = serial, payload = u32)]
pub struct LightLeaving;

#[event(name = "light/dimming", mode = waterfall, payload = u32, out = u32)]
pub struct LightDimming;

pub struct Lamp;

#[plugin]
impl Lamp {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(LightDimming)]
    pub async fn dim(&self, _level: &u32) -> Result<(), ListenerError> {
        Ok(())
    }

    #[on(LightLeaving)]
    pub fn leave(&self, _level: &u32) {}

    #[on(LightSwitched)]
    pub async fn switch(&self, level: &mut u32, next: Next<'_, LightSwitched>) -> Flow<LightSwitched> {
        next.run(level).await
    }
}

fn main() {}
