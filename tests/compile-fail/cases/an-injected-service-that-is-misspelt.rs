//! A service is named by its type, so a misspelt one is found when the plugin is compiled.

use dsh_runtime::Inject;
use dsh_subprocess::Subprocess;
use std::sync::Arc;

#[derive(Inject)]
pub struct Inject {
    pub subprocess: Arc<dyn Subproces>,
}

pub fn spawns(_: Arc<dyn Subprocess>) {}

fn main() {}
