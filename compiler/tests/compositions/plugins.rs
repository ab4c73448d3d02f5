// package: dsh-subprocess
/// Starts child processes.
#[service(key = "subprocess")]
pub trait Subprocess: Send + Sync {
    fn resolve(&self, name: &str) -> Option<String>;
}

// package: dsh-subprocess-local
/// Starts child processes on this machine.
pub struct SubprocessLocal;

#[plugin(provides(dyn Subprocess))]
impl SubprocessLocal {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-shell
/// Runs shell commands.
#[service(key = "shell")]
pub trait ShellExecutor: Send + Sync {
    fn name(&self) -> String;
}

// package: dsh-bash-local
/// How the shell is run.
#[config]
pub struct Config {
    /// Longest time that one command may take, in milliseconds.
    #[config(default = 300_000, min = 1, max = 2_147_483_647)]
    pub timeout_ms: u64,
    /// Shells to try in order.
    #[config(default = ["bash", "sh"], non_empty)]
    pub shells: Vec<String>,
    /// Where to run; the session's folder when absent.
    pub cwd: Option<PathBuf>,
    /// Whether commands see the environment of the harness.
    #[config(default = false)]
    pub inherit_environment: bool,
    /// Nice value of commands.
    #[config(default = 0)]
    pub niceness: i64,
}

#[derive(Inject)]
pub struct Inject {
    pub subprocess: Arc<dyn Subprocess>,
}

/// Runs shell commands on this machine.
pub struct BashLocal;

#[plugin(provides(dyn ShellExecutor))]
impl BashLocal {
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-bash-sandbox
#[derive(Inject)]
pub struct Inject {
    pub subprocess: Arc<dyn Subprocess>,
}

/// Runs shell commands in a sandbox.
pub struct BashSandbox;

#[plugin(provides(dyn ShellExecutor))]
impl BashSandbox {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-tools
/// The tools that a model can call.
#[service(key = "tools")]
pub struct Tools;

/// Before a tool runs.
#[event(name = "tools/pre-execute", mode = emit, payload = String)]
pub struct ToolsPreExecute;

#[derive(Inject)]
pub struct Inject {
    pub pre_execute: Dispatcher<ToolsPreExecute>,
}

#[plugin(provides(Tools))]
impl Tools {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-tool-bash
#[tool_args]
pub struct Args {
    /// The command.
    pub command: String,
}

#[derive(Inject)]
pub struct Inject {
    pub shell: Arc<dyn ShellExecutor>,
}

pub struct ToolBash;

#[plugin(provides())]
impl ToolBash {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }

    /// Runs a command.
    #[tool(name = "bash", render = terminal)]
    pub async fn bash(&self, args: Args, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        todo!()
    }
}

// package: dsh-tool-echo
#[config]
pub struct Config {
    /// The tool's name.
    #[config(default = "echo", non_blank)]
    pub tool_name: String,
    /// What the tool does to the text.
    #[config(default = "plain", one_of = ["plain", "loud", "quiet"])]
    pub voice: String,
}

#[tool_args]
pub struct Args {
    /// The text.
    pub text: String,
}

pub struct ToolEcho;

#[plugin(provides())]
impl ToolEcho {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }

    /// Says it again.
    #[tool(name = config.tool_name, render = generic)]
    pub async fn echo(&self, args: Args, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        todo!()
    }
}

// package: dsh-llm
/// Talks to a model.
#[service(key = "llm")]
pub trait Llm: Send + Sync {
    fn name(&self) -> String;
}

// package: dsh-llm-deepseek
/// The provider.
#[config]
pub struct Config {
    /// Environment variable that holds the key.
    #[config(default = "DEEPSEEK_API_KEY")]
    pub api_key_env: SecretEnv,
    /// Address of the API.
    #[config(default = "https://api.deepseek.com", name = "baseURL", non_empty)]
    pub base_url: String,
    /// Models that the provider offers.
    #[config(non_empty)]
    pub models: Vec<Model>,
    /// How hard the model thinks.
    pub effort: Option<Effort>,
    /// Headers that each request carries.
    #[config(default = {})]
    pub headers: BTreeMap<String, String>,
    /// Sampling temperature.
    #[config(default = 1.0, min = 0, max = 2)]
    pub temperature: f64,
    /// Limits of a request.
    #[config(default = {})]
    pub limits: Limits,
}

/// A model.
#[config]
pub struct Model {
    /// Name that the API knows.
    pub id: String,
    /// Tokens that fit.
    #[config(min = 1)]
    pub context_window: Option<u32>,
}

/// Limits of a request.
#[config]
pub struct Limits {
    /// Attempts before giving up.
    #[config(default = 3)]
    pub attempts: u16,
}

/// How hard a model thinks.
#[config]
pub enum Effort {
    /// Little.
    Low,
    /// As much as it can.
    VeryHigh,
}

pub struct LlmDeepseek;

#[plugin(provides(dyn Llm))]
impl LlmDeepseek {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-agent
#[config]
pub struct Config {
    /// Folder of the sessions.
    pub root: PathBuf,
}

#[derive(Inject)]
pub struct Inject {
    pub llm: Arc<dyn Llm>,
    pub tools: Arc<Tools>,
    pub shell: Option<Arc<dyn ShellExecutor>>,
}

/// Runs the loop of an agent.
pub struct Agent;

#[plugin(provides())]
impl Agent {
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }

    /// Runs one task.
    #[verb(name = "run", about = "runs one task")]
    pub async fn run(&self, args: Vec<String>, session: ServeSession) -> Exit {
        todo!()
    }
}

// package: dsh-batch
pub struct Batch;

#[plugin(provides())]
impl Batch {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    /// Runs many tasks.
    #[verb(name = "run", about = "runs many tasks")]
    pub async fn run(&self, args: Vec<String>, session: ServeSession) -> Exit {
        todo!()
    }
}

// package: dsh-server-jsonrpc
pub struct ServerJsonrpc;

#[plugin(provides())]
impl ServerJsonrpc {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[serve]
    pub async fn serve(&self, session: ServeSession) -> Exit {
        todo!()
    }
}

// package: dsh-server-acp
pub struct ServerAcp;

#[plugin(provides())]
impl ServerAcp {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[serve]
    pub async fn serve(&self, session: ServeSession) -> Exit {
        todo!()
    }
}

// package: dsh-audit
/// Writes down which tools ran.
pub struct Audit;

#[plugin(provides())]
impl Audit {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(ToolsPreExecute)]
    fn note(&self, payload: &String) {}

    /// Shows what ran.
    #[verb(name = "audit", about = "shows what ran")]
    pub async fn audit(&self, args: Vec<String>, session: ServeSession) -> Exit {
        todo!()
    }
}

// package: dsh-menu-bar
/// Shows the state in the menu bar.
pub struct MenuBar;

#[plugin(provides(), platforms("macos"))]
impl MenuBar {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-clock-a
/// Tells the time.
#[service(key = "clock-a")]
pub trait ClockA: Send + Sync {
    fn now(&self) -> u64;
}

#[derive(Inject)]
pub struct Inject {
    pub other: Arc<dyn ClockB>,
}

pub struct PluginA;

#[plugin(provides(dyn ClockA))]
impl PluginA {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-clock-b
/// Tells the time too.
#[service(key = "clock-b")]
pub trait ClockB: Send + Sync {
    fn now(&self) -> u64;
}

#[derive(Inject)]
pub struct Inject {
    pub other: Arc<dyn ClockC>,
}

pub struct PluginB;

#[plugin(provides(dyn ClockB))]
impl PluginB {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-clock-c
/// Tells the time as well.
#[service(key = "clock-c")]
pub trait ClockC: Send + Sync {
    fn now(&self) -> u64;
}

#[derive(Inject)]
pub struct Inject {
    pub other: Arc<dyn ClockA>,
}

pub struct PluginC;

#[plugin(provides(dyn ClockC))]
impl PluginC {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-clock-self
#[derive(Inject)]
pub struct Inject {
    pub own: Arc<dyn ClockA>,
}

pub struct PluginSelf;

#[plugin(provides(dyn ClockA))]
impl PluginSelf {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-idle
/// Contributes nothing.
pub struct Idle;

#[plugin(provides())]
impl Idle {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-agents
/// The agents that are live.
#[service(key = "agents")]
pub struct Agents;

#[plugin(provides(Agents))]
impl Agents {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-agent-driver
#[derive(Inject)]
pub struct Inject {
    pub agents: Arc<Agents>,
}

/// Drives agents.
pub struct AgentDriver;

#[plugin(takes(Agents = "driver"))]
impl AgentDriver {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-agent-names
/// Under which name it offers agents.
#[config]
pub struct Config {
    /// The name.
    #[config(default = "plain", non_blank)]
    pub kind: String,
}

#[derive(Inject)]
pub struct Inject {
    pub agents: Arc<Agents>,
}

/// Offers agents by name.
pub struct AgentNames;

#[plugin(takes(Agents = config.kind))]
impl AgentNames {
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}
