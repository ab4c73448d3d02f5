//! A key that an attribute does not have is told with those that it has, all of an item at once.

use dsh_runtime::{MountError, PluginContext, config, event, plugin, service};

#[service(kye = "dictionary")]
pub trait Dictionary: Send + Sync {}

#[event(name = "light/switched", mode = emitted, payload = u32, veto)]
pub struct LightSwitched;

/// How a lamp shines.
#[config]
pub struct Config {
    /// Brightness.
    #[config(defualt = 3, minimum = 1)]
    pub level: u64,
}

pub struct Lamp;

#[plugin(provide(Lamp))]
impl Lamp {
    pub async fn mount(_cx: &PluginContext, _config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(LightSwitched, before)]
    pub fn switched(&self, _level: &u32) {}
}

fn main() {}
