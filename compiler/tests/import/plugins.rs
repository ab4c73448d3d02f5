// package: dsh-llm
/// Model calls.
#[service(key = "llm")]
pub trait Llm: Send + Sync {}

pub struct LlmPlugin;

#[plugin(provides(dyn Llm))]
impl LlmPlugin {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-session
/// Live sessions.
#[service(key = "sessions")]
pub trait Sessions: Send + Sync {}

pub struct SessionPlugin;

#[plugin(provides(dyn Sessions))]
impl SessionPlugin {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-session-title
#[config]
pub struct Config {
    #[config(min = 1)]
    pub fallback_max_words: u32,
    #[config(min = 1)]
    pub fallback_max_bytes: u32,
    #[config(min = 1)]
    pub max_title_bytes: u32,
}

pub struct SessionTitlePlugin;

#[plugin(provides())]
impl SessionTitlePlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-agent
pub struct AgentPlugin;

#[plugin(provides())]
impl AgentPlugin {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-agent-loop
#[config]
pub struct Config {
    #[config(default = 10, min = 1)]
    pub max_parallel_tool_calls: u32,
}

pub struct AgentLoopPlugin;

#[plugin(provides())]
impl AgentLoopPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-agent-default-model
#[config]
pub struct Config {
    #[config(non_blank)]
    pub provider: String,
    #[config(non_blank)]
    pub model: String,
}

pub struct AgentDefaultModelPlugin;

#[plugin(provides())]
impl AgentDefaultModelPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-llm-retry
pub struct LlmRetryPlugin;

#[plugin(provides())]
impl LlmRetryPlugin {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-llm-deepseek
#[config]
pub struct Config {
    #[config(default = "DEEPSEEK_API_KEY")]
    pub api_key_env: SecretEnv,
    #[config(name = "baseURL")]
    pub base_url: Option<String>,
    pub thinking: Option<Thinking>,
    pub reasoning_effort: Option<Effort>,
    #[config(default = 60_000, min = 1)]
    pub stream_idle_timeout_ms: u64,
    pub models: Option<Vec<Model>>,
}

#[config]
pub struct Model {
    #[config(non_blank)]
    pub id: String,
    #[config(min = 1)]
    pub context_window: Option<u32>,
}

#[config]
pub enum Thinking {
    Enabled,
    Disabled,
}

#[config]
pub enum Effort {
    Off,
    Low,
    High,
    Max,
}

pub struct LlmDeepseekPlugin;

#[plugin(provides())]
impl LlmDeepseekPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-session-persistence-jsonl
#[config]
pub struct Config {
    #[config(non_empty)]
    pub root: PathBuf,
    #[config(default = "zstd")]
    pub compression: Compression,
}

#[config]
pub enum Compression {
    Zstd,
    None,
}

pub struct SessionPersistenceJsonlPlugin;

#[plugin(provides())]
impl SessionPersistenceJsonlPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-session-checkpoint-policy
pub struct SessionCheckpointPolicyPlugin;

#[plugin(provides())]
impl SessionCheckpointPolicyPlugin {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-subprocess-local
/// Child processes.
#[service(key = "subprocess")]
pub trait Subprocess: Send + Sync {}

pub struct SubprocessLocalPlugin;

#[plugin(provides(dyn Subprocess))]
impl SubprocessLocalPlugin {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-sandbox-policy
#[config]
pub struct Config {
    #[config(default = "workspace-write")]
    pub mode: Mode,
    pub workspace_root: Option<PathBuf>,
}

#[config]
pub enum Mode {
    ReadOnly,
    WorkspaceWrite,
    DangerFullAccess,
}

pub struct SandboxPolicyPlugin;

#[plugin(provides())]
impl SandboxPolicyPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-user-approval
#[config]
pub struct Config {
    #[config(default = "ask")]
    pub policy: Policy,
}

#[config]
pub enum Policy {
    Ask,
    Never,
}

pub struct UserApprovalPlugin;

#[plugin(provides())]
impl UserApprovalPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-permission-presets
#[config]
pub struct Config {
    #[config(default = {})]
    pub presets: BTreeMap<String, Preset>,
}

#[config]
pub struct Preset {
    pub sandbox: String,
    pub approval: String,
}

pub struct PermissionPresetsPlugin;

#[plugin(provides())]
impl PermissionPresetsPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-bash-sandbox
#[config]
pub struct Config {
    #[config(default = 120_000, min = 1)]
    pub timeout_ms: u64,
}

pub struct BashSandboxPlugin;

#[plugin(provides())]
impl BashSandboxPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-tool-bash
#[config]
pub struct Config {
    #[config(default = true)]
    pub enable_run_in_background: bool,
}

pub struct ToolBashPlugin;

#[plugin(provides())]
impl ToolBashPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-tools
#[config]
pub struct Config {
    #[config(default = "native", one_of = ["native", "code", "both"])]
    pub mode: String,
}

pub struct ToolsPlugin;

#[plugin(provides())]
impl ToolsPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-system-prompt
#[config]
pub struct Config {
    #[config(default = true)]
    pub include_harness_identity: bool,
    #[config(default = true)]
    pub include_runtime_context: bool,
    #[config(default = "")]
    pub persona: String,
}

pub struct SystemPromptPlugin;

#[plugin(provides())]
impl SystemPromptPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-fs-local
/// Files.
#[service(key = "fs")]
pub trait Fs: Send + Sync {}

#[config]
pub struct Config {
    #[config(default = ".")]
    pub cwd: PathBuf,
}

pub struct FsLocalPlugin;

#[plugin(provides(dyn Fs))]
impl FsLocalPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-tool-str-replace-editor
#[config]
pub struct Config {
    #[config(default = 16_000, min = 1)]
    pub max_output_chars: u32,
}

pub struct ToolStrReplaceEditorPlugin;

#[plugin(provides())]
impl ToolStrReplaceEditorPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-terminal
/// Terminal sessions.
#[service(key = "terminals")]
pub trait Terminals: Send + Sync {}

pub struct TerminalPlugin;

#[plugin(provides(dyn Terminals))]
impl TerminalPlugin {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-terminal-bash
#[config]
pub struct Config {
    #[config(default = 120_000, min = 1)]
    pub timeout_ms: u64,
    #[config(default = 50, min = 1)]
    pub poll_interval_ms: u64,
    #[config(default = 150, min = 1)]
    pub exact_probe_after_ms: u64,
}

pub struct TerminalBashPlugin;

#[plugin(provides())]
impl TerminalBashPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-tool-bash-persistent
#[config]
pub struct Config {
    #[config(default = 120_000, min = 1)]
    pub timeout_ms: u64,
}

pub struct ToolBashPersistentPlugin;

#[plugin(provides())]
impl ToolBashPersistentPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-plan-mode
/// Planning.
#[service(key = "planMode")]
pub trait PlanMode: Send + Sync {}

#[config]
pub struct Config {
    pub section: String,
}

pub struct PlanModePlugin;

#[plugin(provides(dyn PlanMode))]
impl PlanModePlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-spill-local
#[config]
pub struct Config {
    pub root: Option<PathBuf>,
}

pub struct SpillLocalPlugin;

#[plugin(provides())]
impl SpillLocalPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-spill-policy
#[config]
pub struct Config {
    #[config(default = 50_000, min = 1)]
    pub max_inline_bytes: u64,
}

pub struct SpillPolicyPlugin;

#[plugin(provides())]
impl SpillPolicyPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-repeat-tool-reminder
#[config]
pub struct Config {
    #[config(default = [3, 5, 8])]
    pub thresholds: Vec<u32>,
    #[config(default = 500)]
    pub arguments_preview_chars: u32,
}

pub struct RepeatToolReminderPlugin;

#[plugin(provides())]
impl RepeatToolReminderPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-sdk-jsonrpc-server
#[config]
pub struct Config {
    #[config(default = false)]
    pub max_tokens_as_success: bool,
}

pub struct SdkJsonrpcServerPlugin;

#[plugin(provides())]
impl SdkJsonrpcServerPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}

// package: dsh-headless
#[config]
pub struct Config {
    pub task: Option<String>,
}

pub struct HeadlessPlugin;

#[plugin(provides())]
impl HeadlessPlugin {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }
}
