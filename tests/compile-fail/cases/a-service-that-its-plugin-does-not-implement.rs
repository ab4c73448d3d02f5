//! A plugin implements what it provides.

use dsh_runtime::{MountError, PluginContext, plugin, service};

/// Finds words.
#[service(key = "dictionary")]
pub trait Dictionary: Send + Sync {}

pub struct Shelf;

#[plugin(provides(dyn Dictionary))]
impl Shelf {
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

fn main() {}
