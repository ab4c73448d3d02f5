//! The tool `{{snake}}`.

use dsh_runtime::{MountError, PluginContext, config, plugin};
use dsh_tools::{ToolCall, ToolError, ToolOutput, tool_args};

/// How the answer is made.
#[config]
pub struct Config {
    /// Text before the answer.
    #[config(default = "hello", non_blank)]
    pub greeting: String,
}

/// What the tool is asked.
#[tool_args]
pub struct {{Type}}Args {
    /// Whom to greet.
    pub name: String,
}

/// Offers one tool to the model.
pub struct {{Type}}Tool {
    config: Config,
}

#[plugin()]
impl {{Type}}Tool {
    /// Keeps its config; a tool needs no more.
    pub async fn mount(_cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self { config })
    }

    /// Greets someone by name.
    #[tool(name = "{{snake}}", render = generic, concurrent)]
    pub async fn call(&self, args: {{Type}}Args, _call: &ToolCall) -> Result<ToolOutput, ToolError> {
        if args.name.trim().is_empty() {
            return Err(ToolError::plain("`name` is empty; say whom to greet"));
        }
        Ok(ToolOutput::text(format!("{} {}", self.config.greeting, args.name)))
    }
}
