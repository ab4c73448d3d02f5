use dsh_runtime::{MountError, PluginContext, config, plugin};
use dsh_tools::{ToolCall, ToolError, ToolOutput, tool_args};

/// How loud to be.
#[config]
pub struct Config {
    /// Text before each word.
    #[config(default = "hello", non_blank)]
    pub greeting: String,
}

pub struct Greeter { config: Config }

/// What to greet.
#[tool_args]
pub struct GreetArgs {
    /// Whom to greet.
    pub name: String,
}

/// Greets.
#[plugin()]
impl Greeter {
    pub async fn mount(_cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self { config })
    }

    /// Greets someone by name.
    #[tool(name = "greet", render = generic, concurrent)]
    pub async fn greet(&self, args: GreetArgs, _call: &ToolCall) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::text(format!("{} {}", self.config.greeting, args.name)))
    }
}
