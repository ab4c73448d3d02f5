//! What is injected is a service or a dispatcher; values of a row come from its config.

use dsh_runtime::Inject;

#[derive(Inject)]
pub struct Inject {
    pub name: String,
}

fn main() {}
