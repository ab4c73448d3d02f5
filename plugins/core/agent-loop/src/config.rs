//! Configuration.

use dsh_runtime::config;

/// How agents are driven.
#[config]
pub struct Config {
    /// Most tool calls of one step that run at once; 1 runs them one after the other.
    #[config(default = 10, min = 1)]
    pub max_parallel_tool_calls: usize,
}
