//! A plugin is started by its `mount`.

use dsh_runtime::plugin;

pub struct Lamp;

#[plugin]
impl Lamp {
    pub fn start(&self) {}
}

fn main() {}
