//! The future of a service's function outlives the call, so the function takes its arguments by value.

use dsh_runtime::service;

/// Finds words.
#[service(key = "dictionary")]
pub trait Dictionary: Send + Sync {
    async fn look_up(&self, word: &str) -> Option<String>;
    fn knows(&self, word: &str) -> bool;
}

fn main() {}
