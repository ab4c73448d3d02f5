// package: dsh-tools
/// The tools that a model can call.
#[service(key = "tools")]
pub struct Tools;

#[plugin(provides(Tools))]
impl Tools {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-echo
#[config]
pub struct Config {
    /// The tool's name.
    #[config(default = "echo", non_blank)]
    pub tool_name: String,
    /// Longest time that it may take, in milliseconds.
    #[config(default = 10)]
    pub timeout_ms: Option<u64>,
}

#[tool_args]
pub struct Args {
    /// The text.
    pub text: String,
}

pub struct Echo;

#[plugin(provides())]
impl Echo {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }

    /// Says it again.
    #[tool(name = config.tool_name, timeout_ms = config.timeout_ms)]
    pub async fn echo(&self, args: Args, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        todo!()
    }
}
