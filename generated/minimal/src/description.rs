// Made by `dsh-build sync minimal`. Change the profile, not this file.

use dsh_runtime::description::{
    Carried, Description, EventDescription, HostDescription, PluginDescription,
    PromptDescription, ReadDescription, RowDescription, ServiceDescription,
    SurroundingsDescription, ToolDescription, prompt_of,
};
use dsh_runtime::{Evaluator, NoConfig};
use super::wiring::{
    system_prompt_config, sandbox_policy_config, persistent_bash_config,
    str_replace_editor_config, agent_loop_config, GRAPH,
};

/// What the binary tells of itself without mounting anything.
pub static DESCRIPTION: Description = Description {
    composed: include_str!("composed.yml"),
    bundles: include_str!("composed.yml"),
    frame: 0xa376_5adb_31aa_eb17,
    surroundings: SurroundingsDescription {
        set: &[],
        expressions: &[
            ReadDescription {
                name: "cwd",
                row: "fs-local",
                field: "cwd",
            },
            ReadDescription {
                name: "cwd",
                row: "sandbox-policy",
                field: "workspaceRoot",
            },
            ReadDescription {
                name: "env.DSH_CONTEXT_WINDOW",
                row: "llm-deepseek",
                field: "models[0].contextWindow",
            },
            ReadDescription {
                name: "env.DSH_CWD",
                row: "fs-local",
                field: "cwd",
            },
            ReadDescription {
                name: "env.DSH_CWD",
                row: "sandbox-policy",
                field: "workspaceRoot",
            },
            ReadDescription {
                name: "env.DSH_HOME",
                row: "sessions",
                field: "root",
            },
            ReadDescription {
                name: "env.DSH_MODEL",
                row: "agent-default-model",
                field: "model",
            },
            ReadDescription {
                name: "env.DSH_MODEL",
                row: "llm-deepseek",
                field: "models[0].id",
            },
            ReadDescription {
                name: "env.DSH_SESSION_COMPRESSION",
                row: "sessions",
                field: "compression",
            },
            ReadDescription {
                name: "env.DSH_SESSION_ROOT",
                row: "sessions",
                field: "root",
            },
            ReadDescription {
                name: "env.DSH_SYSTEM_PROMPT",
                row: "system-prompt",
                field: "persona",
            },
        ],
        secrets: &[
            ReadDescription {
                name: "DEEPSEEK_API_KEY",
                row: "llm-deepseek",
                field: "apiKeyEnv",
            },
        ],
    },
    graph: Some(&GRAPH),
    rows: &[
        RowDescription {
            id: "sdk-jsonrpc-server",
            plugin: Some("sdk-jsonrpc-server"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_sdk_jsonrpc_server::SdkJsonrpcServer,
                >(),
                digest: 0x9964_1419_3c48_120b,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "headless-runner",
            plugin: Some("headless"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_headless::Headless>(),
                digest: 0x5020_19a9_b77a_0a65,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "llm",
            plugin: Some("llm"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_llm::Llm>(),
                digest: 0x4cf1_765e_1a13_9cb8,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "llm-deepseek",
            plugin: Some("llm-deepseek"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<dsh_llm_deepseek::DeepSeek>(),
                digest: 0x3734_4417_f954_9a19,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "llm-retry",
            plugin: Some("llm-retry"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_llm_retry::LlmRetries>(),
                digest: 0xba84_7850_9412_22e7,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "session",
            plugin: Some("session"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_session::SessionStore>(),
                digest: 0xe55a_dfaa_4fe5_587b,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "session-title",
            plugin: Some("session-title"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_session_title::SessionTitles,
                >(),
                digest: 0x26c8_174e_5476_6e6b,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "system-prompt",
            plugin: Some("system-prompt"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_system_prompt::SystemPrompt,
                >(),
                digest: 0x1d9a_0c76_90af_7927,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "tools",
            plugin: Some("tools"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_tools::Tools>(),
                digest: 0xb694_914a_47dc_5249,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "agent",
            plugin: Some("agent"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_agent::Agents>(),
                digest: 0x5d17_3f83_1ca5_049d,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "agent-loop",
            plugin: Some("agent-loop"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<dsh_agent_loop::AgentLoop>(),
                digest: 0x2ea4_3a2f_80fc_cfbe,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "agent-default-model",
            plugin: Some("agent-default-model"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_agent_default_model::AgentDefaultModel,
                >(),
                digest: 0x40c3_1844_2862_2798,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "invariants",
            plugin: Some("invariants"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_invariants::InvariantRegistry,
                >(),
                digest: 0xe423_bacc_8729_099f,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "sandbox-policy",
            plugin: Some("sandbox-policy"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_sandbox_policy::SessionSandboxPolicy,
                >(),
                digest: 0x1dcf_377c_24b8_7711,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "subprocess",
            plugin: Some("subprocess-local"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<
                    dsh_subprocess_local::SubprocessLocal,
                >(),
                digest: 0x3b95_d4ee_129f_1a7b,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "pty",
            plugin: Some("terminal"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_terminal::Terminals>(),
                digest: 0x8af3_4b81_e84c_70f4,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "terminal-bash",
            plugin: Some("terminal-bash"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_terminal_bash::TerminalBash,
                >(),
                digest: 0x620c_f72b_1d3c_8037,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "fs-local",
            plugin: Some("fs-local"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<dsh_fs_local::FsLocal>(),
                digest: 0xa566_32c4_5736_22c2,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "persistent-bash",
            plugin: Some("tool-bash-persistent"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_tool_bash_persistent::ToolBashPersistent,
                >(),
                digest: 0xd61a_7575_ca8b_c5d3,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "str-replace-editor",
            plugin: Some("tool-str-replace-editor"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_tool_str_replace_editor::StrReplaceEditor,
                >(),
                digest: 0x031b_b5d6_02f6_049d,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "sessions",
            plugin: Some("session-persistence-jsonl"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<
                    dsh_session_persistence_jsonl::SessionPersistenceJsonl,
                >(),
                digest: 0x0e78_abb8_ee73_3a76,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "session-verb",
            plugin: Some("session-verb"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_session_verb::SessionVerb>(),
                digest: 0x4621_58ea_30df_a359,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
        RowDescription {
            id: "session-export",
            plugin: Some("session-export"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_session_export::SessionExport>(),
                digest: 0x0b82_1846_62f1_854e,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/minimal.yml",
            patched: &[],
        },
    ],
    services: &[
        ServiceDescription {
            key: "agentDefaultModel",
            id: "dsh-agent-default-model::AgentDefaultModel",
            providers: &["agent-default-model"],
            consumers: &["headless-runner"],
        },
        ServiceDescription {
            key: "agents",
            id: "dsh-agent::Agents",
            providers: &["agent"],
            consumers: &["pty", "sdk-jsonrpc-server", "headless-runner", "agent-loop"],
        },
        ServiceDescription {
            key: "fs",
            id: "dsh-fs::Fs",
            providers: &["fs-local"],
            consumers: &["str-replace-editor"],
        },
        ServiceDescription {
            key: "invariants",
            id: "dsh-runtime::Invariants",
            providers: &["invariants"],
            consumers: &["llm", "llm-retry", "session", "tools", "agent", "agent-loop"],
        },
        ServiceDescription {
            key: "llm",
            id: "dsh-llm::Llm",
            providers: &["llm"],
            consumers: &["llm-deepseek", "sdk-jsonrpc-server", "agent-loop"],
        },
        ServiceDescription {
            key: "sandboxPolicy",
            id: "dsh-sandbox-policy::SandboxPolicy",
            providers: &["sandbox-policy"],
            consumers: &[
                "terminal-bash",
                "str-replace-editor",
                "headless-runner",
                "session-export",
            ],
        },
        ServiceDescription {
            key: "sessionPersistence",
            id: "dsh-session-persistence::SessionPersistence",
            providers: &["sessions"],
            consumers: &[
                "sdk-jsonrpc-server",
                "headless-runner",
                "agent-loop",
                "session-verb",
                "session-export",
            ],
        },
        ServiceDescription {
            key: "sessions",
            id: "dsh-session::SessionStore",
            providers: &["session"],
            consumers: &[
                "session-title",
                "sandbox-policy",
                "headless-runner",
                "agent-loop",
                "session-verb",
            ],
        },
        ServiceDescription {
            key: "subprocess",
            id: "dsh-subprocess::Subprocess",
            providers: &["subprocess"],
            consumers: &["terminal-bash", "session-export"],
        },
        ServiceDescription {
            key: "systemPrompt",
            id: "dsh-system-prompt::SystemPrompt",
            providers: &["system-prompt"],
            consumers: &["tools", "sandbox-policy", "agent-loop"],
        },
        ServiceDescription {
            key: "terminals",
            id: "dsh-terminal::Terminals",
            providers: &["pty"],
            consumers: &["terminal-bash", "persistent-bash"],
        },
        ServiceDescription {
            key: "tools",
            id: "dsh-tools::Tools",
            providers: &["tools"],
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
            listeners: &["llm-retry"],
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
            dispatchers: &["llm-retry", "session"],
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
            dispatchers: &["llm-retry", "session"],
            listeners: &[
                "llm-deepseek",
                "llm-retry",
                "session-title",
                "sessions",
                "sandbox-policy",
            ],
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
    hosts: &[
        HostDescription {
            row: "llm-deepseek",
            host: "DEEPSEEK_BASE_URL",
            meaning: "requests to the models, where the config gives no address and this variable is set",
        },
        HostDescription {
            row: "llm-deepseek",
            host: "https://api.deepseek.com",
            meaning: "requests to the models, where neither gives another address",
        },
    ],
    components: include_str!("components.txt"),
    notices: include_str!("notices.txt"),
    cargo_profile: option_env!("DSH_CARGO_PROFILE"),
};

fn tools(eval: &mut Evaluator, on: &dyn Fn(&str) -> bool) -> Vec<ToolDescription> {
    [
        if on("persistent-bash") {
            dsh_tools::Tools::describe::<
                dsh_tool_bash_persistent::ToolBashPersistent,
            >("persistent-bash", &persistent_bash_config(eval))
        } else {
            Vec::new()
        },
        if on("str-replace-editor") {
            dsh_tools::Tools::describe::<
                dsh_tool_str_replace_editor::StrReplaceEditor,
            >("str-replace-editor", &str_replace_editor_config(eval))
        } else {
            Vec::new()
        },
    ]
        .concat()
}

fn prompt(eval: &mut Evaluator, on: &dyn Fn(&str) -> bool) -> Vec<PromptDescription> {
    [
        if on("system-prompt") {
            prompt_of::<
                dsh_system_prompt::SystemPrompt,
            >("system-prompt", &system_prompt_config(eval))
        } else {
            Vec::new()
        },
        if on("tools") {
            prompt_of::<dsh_tools::Tools>("tools", &NoConfig {})
        } else {
            Vec::new()
        },
        if on("agent-loop") {
            prompt_of::<
                dsh_agent_loop::AgentLoop,
            >("agent-loop", &agent_loop_config(eval))
        } else {
            Vec::new()
        },
        if on("sandbox-policy") {
            prompt_of::<
                dsh_sandbox_policy::SessionSandboxPolicy,
            >("sandbox-policy", &sandbox_policy_config(eval))
        } else {
            Vec::new()
        },
    ]
        .concat()
}
