//! The row's config.

use dsh_runtime::config;

/// How commands are run.
#[config]
pub struct Config {
    /// Type of the terminal in which shells run.
    #[config(default = "shell", non_blank)]
    pub backend_type: String,
    /// Longest time that one command may take, in milliseconds.
    #[config(default = 300_000, min = 1)]
    pub timeout_ms: u64,
    /// Characters of output that the model sees, in UTF-16 code units.
    #[config(default = 16_000, min = 1)]
    pub max_output_chars: usize,
    /// What the model is told of the tool.
    #[config(
        default = "Run a bash command. All calls of this agent share one shell: working directory, variables, functions and background jobs carry over from call to call. Output and error output come back together, and a non-zero exit code is reported at the end. Standard input is empty, so use non-interactive options. `exit` ends the shell; the next call starts a new one in the workspace.",
        non_blank
    )]
    pub description: String,
}
