//! The form of a listener follows from the mode of its event.

use dsh_runtime::{ListenerError, MountError, PluginContext, event, plugin};

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

    #[on(LightLeaving)]
    pub fn leave(&self, _level: &u32) {}

    #[on(LightDimming)]
    pub async fn dim(&self, _level: &u32) -> Result<(), ListenerError> {
        Ok(())
    }
}

fn main() {}
