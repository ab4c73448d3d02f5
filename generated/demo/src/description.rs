// Made by `dsh-build sync demo`. Change the profile, not this file.

use dsh_runtime::description::{
    Description, EventDescription, PluginDescription, PromptDescription, RowDescription,
    ServiceDescription, ToolDescription, prompt_of,
};
use dsh_runtime::{Evaluator, NoConfig};
use super::wiring::{
    system_prompt_config, sandbox_policy_config, persistent_bash_config,
    str_replace_editor_config, agent_loop_config,
};

/// What the binary tells of itself without mounting anything.
pub static DESCRIPTION: Description = Description {
    composed: include_str!("composed.yml"),
    bundles: include_str!("bundles.yml"),
    rows: &[
        RowDescription {
            id: "sdk-jsonrpc-server",
            plugin: Some("sdk-jsonrpc-server"),
            carried: Some(
                PluginDescription::configured::<
                    dsh_sdk_jsonrpc_server::SdkJsonrpcServer,
                >(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "headless-runner",
            plugin: Some("headless"),
            carried: Some(PluginDescription::plain::<dsh_headless::Headless>()),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "llm",
            plugin: Some("llm"),
            carried: Some(PluginDescription::plain::<dsh_llm::Llm>()),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "llm-deepseek",
            plugin: Some("llm-deepseek"),
            carried: None,
            inserted: "profiles/bundles/minimal.yml",
            patched: &["profiles/demo/profile.yml"],
        },
        RowDescription {
            id: "llm-script",
            plugin: Some("llm-script"),
            carried: Some(
                PluginDescription::configured::<dsh_llm_script::ScriptedModel>(),
            ),
            inserted: "profiles/demo/profile.yml",
            patched: &[],
        },
        RowDescription {
            id: "session",
            plugin: Some("session"),
            carried: Some(PluginDescription::plain::<dsh_session::SessionStore>()),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "session-title",
            plugin: Some("session-title"),
            carried: Some(
                PluginDescription::configured::<dsh_session_title::SessionTitles>(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "system-prompt",
            plugin: Some("system-prompt"),
            carried: Some(
                PluginDescription::configured::<dsh_system_prompt::SystemPrompt>(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "tools",
            plugin: Some("tools"),
            carried: Some(PluginDescription::plain::<dsh_tools::Tools>()),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "agent",
            plugin: Some("agent"),
            carried: Some(PluginDescription::plain::<dsh_agent::Agents>()),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "agent-loop",
            plugin: Some("agent-loop"),
            carried: Some(PluginDescription::configured::<dsh_agent_loop::AgentLoop>()),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "agent-default-model",
            plugin: Some("agent-default-model"),
            carried: Some(
                PluginDescription::configured::<
                    dsh_agent_default_model::AgentDefaultModel,
                >(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "invariants",
            plugin: Some("invariants"),
            carried: Some(
                PluginDescription::configured::<dsh_invariants::InvariantRegistry>(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "sandbox-policy",
            plugin: Some("sandbox-policy"),
            carried: Some(
                PluginDescription::configured::<
                    dsh_sandbox_policy::SessionSandboxPolicy,
                >(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "subprocess",
            plugin: Some("subprocess-local"),
            carried: Some(
                PluginDescription::plain::<dsh_subprocess_local::SubprocessLocal>(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "pty",
            plugin: Some("terminal"),
            carried: Some(PluginDescription::plain::<dsh_terminal::Terminals>()),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "terminal-bash",
            plugin: Some("terminal-bash"),
            carried: Some(
                PluginDescription::configured::<dsh_terminal_bash::TerminalBash>(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "fs-local",
            plugin: Some("fs-local"),
            carried: Some(PluginDescription::configured::<dsh_fs_local::FsLocal>()),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "persistent-bash",
            plugin: Some("tool-bash-persistent"),
            carried: Some(
                PluginDescription::configured::<
                    dsh_tool_bash_persistent::ToolBashPersistent,
                >(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "str-replace-editor",
            plugin: Some("tool-str-replace-editor"),
            carried: Some(
                PluginDescription::configured::<
                    dsh_tool_str_replace_editor::StrReplaceEditor,
                >(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "sessions",
            plugin: Some("session-persistence-jsonl"),
            carried: Some(
                PluginDescription::configured::<
                    dsh_session_persistence_jsonl::SessionPersistenceJsonl,
                >(),
            ),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
    ],
    services: &[
        ServiceDescription {
            key: "agentDefaultModel",
            id: "dsh-agent-default-model::AgentDefaultModel",
            provider: Some("agent-default-model"),
            consumers: &["headless-runner"],
        },
        ServiceDescription {
            key: "agents",
            id: "dsh-agent::Agents",
            provider: Some("agent"),
            consumers: &["pty", "sdk-jsonrpc-server", "headless-runner", "agent-loop"],
        },
        ServiceDescription {
            key: "fs",
            id: "dsh-fs::Fs",
            provider: Some("fs-local"),
            consumers: &["str-replace-editor"],
        },
        ServiceDescription {
            key: "invariants",
            id: "dsh-runtime::Invariants",
            provider: Some("invariants"),
            consumers: &["llm", "session", "tools", "agent", "agent-loop"],
        },
        ServiceDescription {
            key: "llm",
            id: "dsh-llm::Llm",
            provider: Some("llm"),
            consumers: &["llm-script", "sdk-jsonrpc-server", "agent-loop"],
        },
        ServiceDescription {
            key: "sandboxPolicy",
            id: "dsh-sandbox-policy::SandboxPolicy",
            provider: Some("sandbox-policy"),
            consumers: &["terminal-bash", "str-replace-editor"],
        },
        ServiceDescription {
            key: "sessionPersistence",
            id: "dsh-session-persistence::SessionPersistence",
            provider: Some("sessions"),
            consumers: &["sdk-jsonrpc-server", "headless-runner", "agent-loop"],
        },
        ServiceDescription {
            key: "sessions",
            id: "dsh-session::SessionStore",
            provider: Some("session"),
            consumers: &["headless-runner", "agent-loop"],
        },
        ServiceDescription {
            key: "subprocess",
            id: "dsh-subprocess::Subprocess",
            provider: Some("subprocess"),
            consumers: &["terminal-bash"],
        },
        ServiceDescription {
            key: "systemPrompt",
            id: "dsh-system-prompt::SystemPrompt",
            provider: Some("system-prompt"),
            consumers: &["tools", "sandbox-policy", "agent-loop"],
        },
        ServiceDescription {
            key: "terminals",
            id: "dsh-terminal::Terminals",
            provider: Some("pty"),
            consumers: &["terminal-bash", "persistent-bash"],
        },
        ServiceDescription {
            key: "tools",
            id: "dsh-tools::Tools",
            provider: Some("tools"),
            consumers: &["agent-loop"],
        },
    ],
    events: &[
        EventDescription {
            name: "agent/created",
            id: "dsh-agent::AgentCreated",
            mode: "emit",
            dispatchers: &["agent"],
            listeners: &[],
        },
        EventDescription {
            name: "agent/disposed",
            id: "dsh-agent::AgentDisposed",
            mode: "emit",
            dispatchers: &["agent"],
            listeners: &[],
        },
        EventDescription {
            name: "agent/error",
            id: "dsh-agent::AgentError",
            mode: "emit",
            dispatchers: &["agent-loop"],
            listeners: &[],
        },
        EventDescription {
            name: "agent/inbox/claimed",
            id: "dsh-agent::AgentInboxClaimed",
            mode: "emit",
            dispatchers: &["agent-loop"],
            listeners: &[],
        },
        EventDescription {
            name: "agent/inbox/discarded",
            id: "dsh-agent::AgentInboxDiscarded",
            mode: "emit",
            dispatchers: &["agent-loop"],
            listeners: &[],
        },
        EventDescription {
            name: "agent/inbox/inserted",
            id: "dsh-agent::AgentInboxInserted",
            mode: "emit",
            dispatchers: &["agent-loop"],
            listeners: &[],
        },
        EventDescription {
            name: "agent/pre-step",
            id: "dsh-agent::AgentPreStep",
            mode: "waterfall",
            dispatchers: &["agent-loop"],
            listeners: &["headless-runner"],
        },
        EventDescription {
            name: "agent/request",
            id: "dsh-agent::AgentRequest",
            mode: "waterfall",
            dispatchers: &["agent-loop"],
            listeners: &[],
        },
        EventDescription {
            name: "agent/request-error",
            id: "dsh-agent::AgentRequestError",
            mode: "waterfall",
            dispatchers: &["agent-loop"],
            listeners: &[],
        },
        EventDescription {
            name: "agent/session-start",
            id: "dsh-agent::AgentSessionStart",
            mode: "emit",
            dispatchers: &["agent-loop"],
            listeners: &[],
        },
        EventDescription {
            name: "agent/status",
            id: "dsh-agent::AgentStatusChanged",
            mode: "emit",
            dispatchers: &["agent", "agent-loop"],
            listeners: &["sdk-jsonrpc-server"],
        },
        EventDescription {
            name: "agent/turn-stopping",
            id: "dsh-agent::AgentTurnStopping",
            mode: "serial",
            dispatchers: &["agent-loop"],
            listeners: &[],
        },
        EventDescription {
            name: "fs/edit-intent",
            id: "dsh-fs::FsEditIntent",
            mode: "waterfall",
            dispatchers: &["str-replace-editor"],
            listeners: &[],
        },
        EventDescription {
            name: "fs/observed",
            id: "dsh-fs::FsObserved",
            mode: "emit",
            dispatchers: &["str-replace-editor"],
            listeners: &[],
        },
        EventDescription {
            name: "fs/write-intent",
            id: "dsh-fs::FsWriteIntent",
            mode: "waterfall",
            dispatchers: &["str-replace-editor"],
            listeners: &[],
        },
        EventDescription {
            name: "llm/adapters-updated",
            id: "dsh-llm::LlmAdaptersUpdated",
            mode: "emit",
            dispatchers: &["llm"],
            listeners: &[],
        },
        EventDescription {
            name: "llm/stream",
            id: "dsh-llm::LlmStream",
            mode: "waterfall",
            dispatchers: &["llm", "agent-loop"],
            listeners: &[],
        },
        EventDescription {
            name: "session/committing",
            id: "dsh-session::SessionCommitting",
            mode: "emit",
            dispatchers: &["session"],
            listeners: &["sessions"],
        },
        EventDescription {
            name: "session/created",
            id: "dsh-session::SessionCreated",
            mode: "emit",
            dispatchers: &["session"],
            listeners: &[
                "sandbox-policy",
                "sessions",
                "sdk-jsonrpc-server",
                "session-title",
            ],
        },
        EventDescription {
            name: "session/disposed",
            id: "dsh-session::SessionDisposed",
            mode: "emit",
            dispatchers: &["session"],
            listeners: &["session-title", "sessions", "sandbox-policy"],
        },
        EventDescription {
            name: "session/event",
            id: "dsh-session::SessionEventAppended",
            mode: "emit",
            dispatchers: &["session"],
            listeners: &[
                "sandbox-policy",
                "sessions",
                "sdk-jsonrpc-server",
                "headless-runner",
                "session-title",
            ],
        },
        EventDescription {
            name: "session/flush",
            id: "dsh-session::SessionFlush",
            mode: "parallel",
            dispatchers: &["session"],
            listeners: &["sessions"],
        },
        EventDescription {
            name: "system-prompt/assemble",
            id: "dsh-system-prompt::SystemPromptAssemble",
            mode: "waterfall",
            dispatchers: &["system-prompt"],
            listeners: &[],
        },
        EventDescription {
            name: "system-prompt/change",
            id: "dsh-system-prompt::SystemPromptChange",
            mode: "emit",
            dispatchers: &["system-prompt"],
            listeners: &[],
        },
        EventDescription {
            name: "tools/change",
            id: "dsh-tools::ToolsChange",
            mode: "emit",
            dispatchers: &["tools"],
            listeners: &[],
        },
        EventDescription {
            name: "tools/execute",
            id: "dsh-tools::ToolsExecute",
            mode: "waterfall",
            dispatchers: &["tools"],
            listeners: &[],
        },
        EventDescription {
            name: "tools/post-execute",
            id: "dsh-tools::ToolsPostExecute",
            mode: "waterfall",
            dispatchers: &["tools"],
            listeners: &[],
        },
        EventDescription {
            name: "tools/pre-execute",
            id: "dsh-tools::ToolsPreExecute",
            mode: "waterfall",
            dispatchers: &["tools"],
            listeners: &[],
        },
        EventDescription {
            name: "tools/result",
            id: "dsh-tools::ToolsResult",
            mode: "emit",
            dispatchers: &["tools"],
            listeners: &[],
        },
    ],
    tools,
    prompt,
};

fn tools(eval: &mut Evaluator) -> Vec<ToolDescription> {
    [
        dsh_tools::Tools::describe::<
            dsh_tool_bash_persistent::ToolBashPersistent,
        >("persistent-bash", &persistent_bash_config(eval)),
        dsh_tools::Tools::describe::<
            dsh_tool_str_replace_editor::StrReplaceEditor,
        >("str-replace-editor", &str_replace_editor_config(eval)),
    ]
        .concat()
}

fn prompt(eval: &mut Evaluator) -> Vec<PromptDescription> {
    [
        prompt_of::<
            dsh_system_prompt::SystemPrompt,
        >("system-prompt", &system_prompt_config(eval)),
        prompt_of::<dsh_tools::Tools>("tools", &NoConfig {}),
        prompt_of::<dsh_agent_loop::AgentLoop>("agent-loop", &agent_loop_config(eval)),
        prompt_of::<
            dsh_sandbox_policy::SessionSandboxPolicy,
        >("sandbox-policy", &sandbox_policy_config(eval)),
    ]
        .concat()
}
