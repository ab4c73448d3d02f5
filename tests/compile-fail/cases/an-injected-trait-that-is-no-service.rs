//! A trait becomes a service by its declaration.

use dsh_runtime::Inject;
use std::sync::Arc;

pub trait Dictionary: Send + Sync {}

#[derive(Inject)]
pub struct Inject {
    pub dictionary: Arc<dyn Dictionary>,
}

fn main() {}
