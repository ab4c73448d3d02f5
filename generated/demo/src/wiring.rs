// Made by `dsh-build sync demo`. Change the profile, not this file.

use std::path::PathBuf;
use dsh_runtime::boot::{Boot, BootError, Entries, Graph, GraphRow, Rows, contributed};
use dsh_runtime::{
    BoxFuture, Confirmed, Declared, Evaluator, Identity, Mounted, NoConfig, NoInject,
    Site, Topic, Verb, Verbs, Vocabulary,
};

/// What the binary knows of itself without mounting anything.
pub static IDENTITY: Identity = Identity {
    profile: "demo",
    aliases: &[],
    version: env!("CARGO_PKG_VERSION"),
    digest: "2bf46c3077f96c58",
    serves: true,
    verbs: &[
        Verb {
            name: "run",
            about: "Runs one task and prints the answer",
            usage: <dsh_headless::Headless as Verbs>::usage,
        },
        Verb {
            name: "session",
            about: "Lists, shows and forks stored sessions",
            usage: <dsh_session_verb::SessionVerb as Verbs>::usage,
        },
        Verb {
            name: "export",
            about: "Writes a stored session in a form for benchmarks",
            usage: <dsh_session_export::SessionExport as Verbs>::usage,
        },
    ],
    vocabulary: Vocabulary {
        digest: "e4349cd77b8a866f",
        words: &[
            ("agent/inbox/spliced", "30f3431b"),
            ("assistant/chunk", "d62e5fcb"),
            ("assistant/message", "f9a8c205"),
            ("llm/retry", "906eef3c"),
            ("llm/retry-started", "45270439"),
            ("request/context", "bfc1dc04"),
            ("request/header", "2f984274"),
            ("sandbox/mode", "cee4f9e2"),
            ("session/end-seed", "f4576286"),
            ("session/title", "2c969318"),
            ("step/end", "1526ab33"),
            ("step/start", "410b926e"),
            ("tool/call", "21bab467"),
            ("tool/result", "9294a1d3"),
            ("turn/end", "26321a39"),
            ("turn/start", "6472885e"),
            ("user/message", "24d19d33"),
        ],
    },
};

/// The rows in the order of the composition, in which listeners of one event run.
enum Row {
    SdkJsonrpcServer,
    HeadlessRunner,
    Llm,
    LlmScript,
    LlmRetry,
    Session,
    SessionTitle,
    SystemPrompt,
    Tools,
    Agent,
    AgentLoop,
    AgentDefaultModel,
    Invariants,
    SandboxPolicy,
    Subprocess,
    Pty,
    TerminalBash,
    FsLocal,
    PersistentBash,
    StrReplaceEditor,
    Sessions,
    SessionVerb,
    SessionExport,
}

/// The events that a row dispatches or hears.
#[derive(Default)]
struct Topics {
    /// `agent/created`
    agent_created: Topic<dsh_agent::AgentCreated>,
    /// `agent/disposed`
    agent_disposed: Topic<dsh_agent::AgentDisposed>,
    /// `agent/error`
    agent_error: Topic<dsh_agent::AgentError>,
    /// `agent/inbox/claimed`
    agent_inbox_claimed: Topic<dsh_agent::AgentInboxClaimed>,
    /// `agent/inbox/discarded`
    agent_inbox_discarded: Topic<dsh_agent::AgentInboxDiscarded>,
    /// `agent/inbox/inserted`
    agent_inbox_inserted: Topic<dsh_agent::AgentInboxInserted>,
    /// `agent/pre-step`
    agent_pre_step: Topic<dsh_agent::AgentPreStep>,
    /// `agent/request`
    agent_request: Topic<dsh_agent::AgentRequest>,
    /// `agent/request-error`
    agent_request_error: Topic<dsh_agent::AgentRequestError>,
    /// `agent/session-start`
    agent_session_start: Topic<dsh_agent::AgentSessionStart>,
    /// `agent/status`
    agent_status: Topic<dsh_agent::AgentStatusChanged>,
    /// `agent/turn-stopping`
    agent_turn_stopping: Topic<dsh_agent::AgentTurnStopping>,
    /// `fs/edit-intent`
    fs_edit_intent: Topic<dsh_fs::FsEditIntent>,
    /// `fs/observed`
    fs_observed: Topic<dsh_fs::FsObserved>,
    /// `fs/write-intent`
    fs_write_intent: Topic<dsh_fs::FsWriteIntent>,
    /// `llm/adapters-updated`
    llm_adapters_updated: Topic<dsh_llm::LlmAdaptersUpdated>,
    /// `llm/stream`
    llm_stream: Topic<dsh_llm::LlmStream>,
    /// `session/committing`
    session_committing: Topic<dsh_session::SessionCommitting>,
    /// `session/created`
    session_created: Topic<dsh_session::SessionCreated>,
    /// `session/disposed`
    session_disposed: Topic<dsh_session::SessionDisposed>,
    /// `session/event`
    session_event: Topic<dsh_session::SessionEventAppended>,
    /// `session/flush`
    session_flush: Topic<dsh_session::SessionFlush>,
    /// `system-prompt/assemble`
    system_prompt_assemble: Topic<dsh_system_prompt::SystemPromptAssemble>,
    /// `system-prompt/change`
    system_prompt_change: Topic<dsh_system_prompt::SystemPromptChange>,
    /// `tools/change`
    tools_change: Topic<dsh_tools::ToolsChange>,
    /// `tools/execute`
    tools_execute: Topic<dsh_tools::ToolsExecute>,
    /// `tools/post-execute`
    tools_post_execute: Topic<dsh_tools::ToolsPostExecute>,
    /// `tools/pre-execute`
    tools_pre_execute: Topic<dsh_tools::ToolsPreExecute>,
    /// `tools/result`
    tools_result: Topic<dsh_tools::ToolsResult>,
}

/// Mounts the composition.
pub fn mount(boot: &mut Boot) -> BoxFuture<'_, Result<Entries, BootError>> {
    Box::pin(mount_rows(boot))
}

async fn mount_rows(boot: &mut Boot) -> Result<Entries, BootError> {
    let configs = boot.resolve(&GRAPH, Configs::resolve)?;
    let topics = Topics::default();
    // system-prompt (profiles/bundles/minimal.yml#system-prompt)
    let system_prompt: Option<Mounted<dsh_system_prompt::SystemPrompt>> = boot
        .mount_if_on(
            Row::SystemPrompt as usize,
            "system-prompt",
            || Some((
                configs.system_prompt?,
                dsh_system_prompt::Inject {
                    assemble: topics.system_prompt_assemble.dispatcher(),
                    change: topics.system_prompt_change.dispatcher(),
                },
            )),
        )
        .await?;
    // agent-default-model (profiles/bundles/minimal.yml#agent-default-model)
    let agent_default_model: Option<
        Mounted<dsh_agent_default_model::AgentDefaultModel>,
    > = boot
        .mount_if_on(
            Row::AgentDefaultModel as usize,
            "agent-default-model",
            || Some((configs.agent_default_model?, NoInject {})),
        )
        .await?;
    // invariants (profiles/bundles/minimal.yml#invariants)
    let invariants: Option<Mounted<dsh_invariants::InvariantRegistry>> = boot
        .mount_if_on(
            Row::Invariants as usize,
            "invariants",
            || Some((configs.invariants?, NoInject {})),
        )
        .await?;
    // llm (profiles/bundles/minimal.yml#llm)
    let llm: Option<Mounted<dsh_llm::Llm>> = boot
        .mount_if_on(
            Row::Llm as usize,
            "llm",
            || Some((
                NoConfig {},
                dsh_llm::Inject {
                    invariants: invariants.as_ref().map(|row| row.plugin() as _),
                    stream: topics.llm_stream.dispatcher(),
                    adapters_updated: topics.llm_adapters_updated.dispatcher(),
                },
            )),
        )
        .await?;
    // llm-script (profiles/demo/profile.yml#llm-script)
    let _llm_script: Option<Mounted<dsh_llm_script::ScriptedModel>> = boot
        .mount_if_on(
            Row::LlmScript as usize,
            "llm-script",
            || Some((
                configs.llm_script?,
                dsh_llm_script::Inject {
                    llm: llm.as_ref()?.plugin(),
                },
            )),
        )
        .await?;
    // llm-retry (profiles/bundles/minimal.yml#llm-retry)
    let llm_retry: Option<Mounted<dsh_llm_retry::LlmRetries>> = boot
        .mount_if_on(
            Row::LlmRetry as usize,
            "llm-retry",
            || Some((
                NoConfig {},
                dsh_llm_retry::Inject {
                    invariants: invariants.as_ref().map(|row| row.plugin() as _),
                    committing: topics.session_committing.dispatcher(),
                    disposed: topics.session_disposed.dispatcher(),
                },
            )),
        )
        .await?;
    // session (profiles/bundles/minimal.yml#session)
    let session: Option<Mounted<dsh_session::SessionStore>> = boot
        .mount_if_on(
            Row::Session as usize,
            "session",
            || Some((
                NoConfig {},
                dsh_session::Inject {
                    invariants: invariants.as_ref().map(|row| row.plugin() as _),
                    created: topics.session_created.dispatcher(),
                    disposed: topics.session_disposed.dispatcher(),
                    committing: topics.session_committing.dispatcher(),
                    appended: topics.session_event.dispatcher(),
                    flush: topics.session_flush.dispatcher(),
                },
            )),
        )
        .await?;
    // session-title (profiles/bundles/minimal.yml#session-title)
    let session_title: Option<Mounted<dsh_session_title::SessionTitles>> = boot
        .mount_if_on(
            Row::SessionTitle as usize,
            "session-title",
            || Some((
                configs.session_title?,
                dsh_session_title::Inject {
                    sessions: session.as_ref()?.plugin(),
                },
            )),
        )
        .await?;
    // tools (profiles/bundles/minimal.yml#tools)
    let tools: Option<Mounted<dsh_tools::Tools>> = boot
        .mount_if_on(
            Row::Tools as usize,
            "tools",
            || Some((
                NoConfig {},
                dsh_tools::Inject {
                    system_prompt: system_prompt.as_ref()?.plugin(),
                    invariants: invariants.as_ref().map(|row| row.plugin() as _),
                    pre_execute: topics.tools_pre_execute.dispatcher(),
                    execute: topics.tools_execute.dispatcher(),
                    post_execute: topics.tools_post_execute.dispatcher(),
                    result: topics.tools_result.dispatcher(),
                    change: topics.tools_change.dispatcher(),
                },
            )),
        )
        .await?;
    // agent (profiles/bundles/minimal.yml#agent)
    let agent: Option<Mounted<dsh_agent::Agents>> = boot
        .mount_if_on(
            Row::Agent as usize,
            "agent",
            || Some((
                NoConfig {},
                dsh_agent::Inject {
                    invariants: invariants.as_ref().map(|row| row.plugin() as _),
                    created: topics.agent_created.dispatcher(),
                    disposed: topics.agent_disposed.dispatcher(),
                    status: topics.agent_status.dispatcher(),
                },
            )),
        )
        .await?;
    // sandbox-policy (profiles/bundles/minimal.yml#sandbox-policy)
    let sandbox_policy: Option<Mounted<dsh_sandbox_policy::SessionSandboxPolicy>> = boot
        .mount_if_on(
            Row::SandboxPolicy as usize,
            "sandbox-policy",
            || Some((
                configs.sandbox_policy?,
                dsh_sandbox_policy::Inject {
                    sessions: session.as_ref()?.plugin(),
                    system_prompt: system_prompt.as_ref().map(Mounted::plugin),
                },
            )),
        )
        .await?;
    // subprocess (profiles/bundles/minimal.yml#subprocess)
    let subprocess: Option<Mounted<dsh_subprocess_local::SubprocessLocal>> = boot
        .mount_if_on(
            Row::Subprocess as usize,
            "subprocess",
            || Some((NoConfig {}, NoInject {})),
        )
        .await?;
    // pty (profiles/bundles/minimal.yml#pty)
    let pty: Option<Mounted<dsh_terminal::Terminals>> = boot
        .mount_if_on(
            Row::Pty as usize,
            "pty",
            || Some((
                NoConfig {},
                dsh_terminal::Inject {
                    agents: agent.as_ref().map(Mounted::plugin),
                },
            )),
        )
        .await?;
    // terminal-bash (profiles/bundles/minimal.yml#terminal-bash)
    let _terminal_bash: Option<Mounted<dsh_terminal_bash::TerminalBash>> = boot
        .mount_if_on(
            Row::TerminalBash as usize,
            "terminal-bash",
            || Some((
                configs.terminal_bash?,
                dsh_terminal_bash::Inject {
                    terminals: pty.as_ref()?.plugin(),
                    subprocess: subprocess.as_ref()?.plugin(),
                    sandbox_policy: sandbox_policy.as_ref()?.plugin(),
                },
            )),
        )
        .await?;
    // fs-local (profiles/bundles/minimal.yml#fs-local)
    let fs_local: Option<Mounted<dsh_fs_local::FsLocal>> = boot
        .mount_if_on(
            Row::FsLocal as usize,
            "fs-local",
            || Some((configs.fs_local?, NoInject {})),
        )
        .await?;
    // persistent-bash (profiles/bundles/minimal.yml#persistent-bash)
    let persistent_bash: Option<Mounted<dsh_tool_bash_persistent::ToolBashPersistent>> = boot
        .mount_if_on(
            Row::PersistentBash as usize,
            "persistent-bash",
            || Some((
                configs.persistent_bash?,
                dsh_tool_bash_persistent::Inject {
                    terminals: pty.as_ref()?.plugin(),
                },
            )),
        )
        .await?;
    // str-replace-editor (profiles/bundles/minimal.yml#str-replace-editor)
    let str_replace_editor: Option<
        Mounted<dsh_tool_str_replace_editor::StrReplaceEditor>,
    > = boot
        .mount_if_on(
            Row::StrReplaceEditor as usize,
            "str-replace-editor",
            || Some((
                configs.str_replace_editor?,
                dsh_tool_str_replace_editor::Inject {
                    fs: fs_local.as_ref()?.plugin(),
                    sandbox_policy: sandbox_policy.as_ref().map(|row| row.plugin() as _),
                    write_intent: topics.fs_write_intent.dispatcher(),
                    edit_intent: topics.fs_edit_intent.dispatcher(),
                    observed: topics.fs_observed.dispatcher(),
                },
            )),
        )
        .await?;
    // sessions (profiles/bundles/minimal.yml#sessions)
    let sessions: Option<
        Mounted<dsh_session_persistence_jsonl::SessionPersistenceJsonl>,
    > = boot
        .mount_if_on(
            Row::Sessions as usize,
            "sessions",
            || Some((configs.sessions?, NoInject {})),
        )
        .await?;
    // sdk-jsonrpc-server (profiles/bundles/minimal.yml#sdk-jsonrpc-server)
    let sdk_jsonrpc_server: Option<Mounted<dsh_sdk_jsonrpc_server::SdkJsonrpcServer>> = boot
        .mount_if_on(
            Row::SdkJsonrpcServer as usize,
            "sdk-jsonrpc-server",
            || Some((
                configs.sdk_jsonrpc_server?,
                dsh_sdk_jsonrpc_server::Inject {
                    agents: agent.as_ref()?.plugin(),
                    llm: llm.as_ref()?.plugin(),
                    persistence: sessions.as_ref().map(|row| row.plugin() as _),
                },
            )),
        )
        .await?;
    // headless-runner (profiles/bundles/minimal.yml#headless-runner)
    let headless_runner: Option<Mounted<dsh_headless::Headless>> = boot
        .mount_if_on(
            Row::HeadlessRunner as usize,
            "headless-runner",
            || Some((
                NoConfig {},
                dsh_headless::Inject {
                    agents: agent.as_ref()?.plugin(),
                    sessions: session.as_ref()?.plugin(),
                    default_model: agent_default_model.as_ref()?.plugin(),
                    persistence: sessions.as_ref().map(|row| row.plugin() as _),
                    sandbox_policy: sandbox_policy.as_ref().map(|row| row.plugin() as _),
                },
            )),
        )
        .await?;
    // agent-loop (profiles/bundles/minimal.yml#agent-loop)
    let _agent_loop: Option<Mounted<dsh_agent_loop::AgentLoop>> = boot
        .mount_if_on(
            Row::AgentLoop as usize,
            "agent-loop",
            || Some((
                configs.agent_loop?,
                dsh_agent_loop::Inject {
                    agents: agent.as_ref()?.plugin(),
                    sessions: session.as_ref()?.plugin(),
                    llm: llm.as_ref()?.plugin(),
                    tools: tools.as_ref()?.plugin(),
                    system_prompt: system_prompt.as_ref()?.plugin(),
                    persistence: sessions.as_ref().map(|row| row.plugin() as _),
                    invariants: invariants.as_ref().map(|row| row.plugin() as _),
                    inserted: topics.agent_inbox_inserted.dispatcher(),
                    claimed: topics.agent_inbox_claimed.dispatcher(),
                    discarded: topics.agent_inbox_discarded.dispatcher(),
                    status: topics.agent_status.dispatcher(),
                    session_start: topics.agent_session_start.dispatcher(),
                    pre_step: topics.agent_pre_step.dispatcher(),
                    request: topics.agent_request.dispatcher(),
                    request_error: topics.agent_request_error.dispatcher(),
                    turn_stopping: topics.agent_turn_stopping.dispatcher(),
                    error: topics.agent_error.dispatcher(),
                    stream: topics.llm_stream.dispatcher(),
                },
            )),
        )
        .await?;
    // session-verb (profiles/bundles/minimal.yml#session-verb)
    let session_verb: Option<Mounted<dsh_session_verb::SessionVerb>> = boot
        .mount_if_on(
            Row::SessionVerb as usize,
            "session-verb",
            || Some((
                NoConfig {},
                dsh_session_verb::Inject {
                    sessions: session.as_ref()?.plugin(),
                    persistence: sessions.as_ref()?.plugin(),
                },
            )),
        )
        .await?;
    // session-export (profiles/bundles/minimal.yml#session-export)
    let session_export: Option<Mounted<dsh_session_export::SessionExport>> = boot
        .mount_if_on(
            Row::SessionExport as usize,
            "session-export",
            || Some((
                NoConfig {},
                dsh_session_export::Inject {
                    persistence: sessions.as_ref()?.plugin(),
                    subprocess: subprocess.as_ref()?.plugin(),
                    sandbox_policy: sandbox_policy.as_ref().map(|row| row.plugin() as _),
                },
            )),
        )
        .await?;
    // listeners, of each event in the order in which they run
    topics.agent_pre_step.attach(&headless_runner);
    topics.agent_request_error.attach(&llm_retry);
    topics.agent_status.attach(&sdk_jsonrpc_server);
    topics.session_committing.attach(&sessions);
    topics.session_created.attach(&sandbox_policy);
    topics.session_created.attach(&sessions);
    topics.session_created.attach(&sdk_jsonrpc_server);
    topics.session_created.attach(&session_title);
    topics.session_disposed.attach(&llm_retry);
    topics.session_disposed.attach(&session_title);
    topics.session_disposed.attach(&sessions);
    topics.session_disposed.attach(&sandbox_policy);
    topics.session_event.attach(&sandbox_policy);
    topics.session_event.attach(&sessions);
    topics.session_event.attach(&sdk_jsonrpc_server);
    topics.session_event.attach(&headless_runner);
    topics.session_event.attach(&session_title);
    topics.session_flush.attach(&sessions);
    // tools
    if let (Some(registry), Some(row)) = (tools.as_ref(), persistent_bash.as_ref()) {
        contributed(row.context(), registry.plugin().contribute(row))?;
    }
    if let (Some(registry), Some(row)) = (tools.as_ref(), str_replace_editor.as_ref()) {
        contributed(row.context(), registry.plugin().contribute(row))?;
    }
    Ok(
        boot
            .finish()
            .serve(&sdk_jsonrpc_server)
            .verbs(&headless_runner)
            .verbs(&session_verb)
            .verbs(&session_export),
    )
}

/// The config of every row that takes one.
struct Configs {
    system_prompt: Option<dsh_system_prompt::Config>,
    agent_default_model: Option<dsh_agent_default_model::Config>,
    invariants: Option<dsh_invariants::Config>,
    llm_script: Option<dsh_llm_script::Config>,
    session_title: Option<dsh_session_title::Config>,
    sandbox_policy: Option<dsh_sandbox_policy::Config>,
    terminal_bash: Option<dsh_terminal_bash::Config>,
    fs_local: Option<dsh_fs_local::Config>,
    persistent_bash: Option<dsh_tool_bash_persistent::Config>,
    str_replace_editor: Option<dsh_tool_str_replace_editor::Config>,
    sessions: Option<dsh_session_persistence_jsonl::Config>,
    sdk_jsonrpc_server: Option<dsh_sdk_jsonrpc_server::Config>,
    agent_loop: Option<dsh_agent_loop::Config>,
}

impl Configs {
    fn resolve(eval: &mut Evaluator, rows: &Rows) -> Self {
        Self {
            system_prompt: rows
                .is_on(Row::SystemPrompt as usize)
                .then(|| system_prompt_config(eval)),
            agent_default_model: rows
                .is_on(Row::AgentDefaultModel as usize)
                .then(|| agent_default_model_config(eval)),
            invariants: rows
                .is_on(Row::Invariants as usize)
                .then(|| invariants_config(eval)),
            llm_script: rows
                .is_on(Row::LlmScript as usize)
                .then(|| llm_script_config(eval)),
            session_title: rows
                .is_on(Row::SessionTitle as usize)
                .then(|| session_title_config(eval)),
            sandbox_policy: rows
                .is_on(Row::SandboxPolicy as usize)
                .then(|| sandbox_policy_config(eval)),
            terminal_bash: rows
                .is_on(Row::TerminalBash as usize)
                .then(|| terminal_bash_config(eval)),
            fs_local: rows.is_on(Row::FsLocal as usize).then(|| fs_local_config(eval)),
            persistent_bash: rows
                .is_on(Row::PersistentBash as usize)
                .then(|| persistent_bash_config(eval)),
            str_replace_editor: rows
                .is_on(Row::StrReplaceEditor as usize)
                .then(|| str_replace_editor_config(eval)),
            sessions: rows.is_on(Row::Sessions as usize).then(|| sessions_config(eval)),
            sdk_jsonrpc_server: rows
                .is_on(Row::SdkJsonrpcServer as usize)
                .then(|| sdk_jsonrpc_server_config(eval)),
            agent_loop: rows
                .is_on(Row::AgentLoop as usize)
                .then(|| agent_loop_config(eval)),
        }
    }
}

// system-prompt (profiles/bundles/minimal.yml#system-prompt)
pub(super) fn system_prompt_config(eval: &mut Evaluator) -> dsh_system_prompt::Config {
    if let Some(config) = eval.overlay("system-prompt") {
        return config;
    }
    let site = |field| Site {
        row: "system-prompt",
        field,
        file: "profiles/bundles/minimal.yml",
    };
    let config = dsh_system_prompt::Config {
        include_harness_identity: false,
        include_runtime_context: false,
        persona: eval
            .get(
                site("persona"),
                "env.DSH_SYSTEM_PROMPT if env.DSH_SYSTEM_PROMPT is defined else 'You are a software engineer. Work in the given folder with your tools until the task is done, check your work, then say briefly what you did.'",
            ),
        tool_order: None,
    };
    eval.check("system-prompt", "profiles/bundles/minimal.yml", config)
}

// agent-default-model (profiles/bundles/minimal.yml#agent-default-model)
fn agent_default_model_config(eval: &mut Evaluator) -> dsh_agent_default_model::Config {
    if let Some(config) = eval.overlay("agent-default-model") {
        return config;
    }
    let site = |field| Site {
        row: "agent-default-model",
        field,
        file: "profiles/bundles/minimal.yml",
    };
    let config = dsh_agent_default_model::Config {
        provider: "deepseek-official".to_owned(),
        model: eval
            .get(
                site("model"),
                "env.DSH_MODEL if env.DSH_MODEL is defined else 'deepseek-v4-flash'",
            ),
    };
    eval.check("agent-default-model", "profiles/bundles/minimal.yml", config)
}

// invariants (profiles/bundles/minimal.yml#invariants)
fn invariants_config(eval: &mut Evaluator) -> dsh_invariants::Config {
    if let Some(config) = eval.overlay("invariants") {
        return config;
    }
    let config = dsh_invariants::Config {
        enabled: true,
        package_allowlist: Vec::new(),
        package_blocklist: Vec::new(),
    };
    eval.check("invariants", "profiles/bundles/minimal.yml", config)
}

// llm-script (profiles/demo/profile.yml#llm-script)
fn llm_script_config(eval: &mut Evaluator) -> dsh_llm_script::Config {
    if let Some(config) = eval.overlay("llm-script") {
        return config;
    }
    let site = |field| Site {
        row: "llm-script",
        field,
        file: "profiles/demo/profile.yml",
    };
    let config = dsh_llm_script::Config {
        provider: "deepseek-official".to_owned(),
        script: eval
            .get(
                site("script"),
                "env.DSH_DEMO_SCRIPT if env.DSH_DEMO_SCRIPT is defined else 'profiles/demo/script.yml'",
            ),
    };
    eval.check("llm-script", "profiles/demo/profile.yml", config)
}

// session-title (profiles/bundles/minimal.yml#session-title)
fn session_title_config(eval: &mut Evaluator) -> dsh_session_title::Config {
    if let Some(config) = eval.overlay("session-title") {
        return config;
    }
    let config = dsh_session_title::Config {
        fallback_max_words: 5,
        fallback_max_bytes: 40,
        max_title_bytes: 80,
    };
    eval.check("session-title", "profiles/bundles/minimal.yml", config)
}

// sandbox-policy (profiles/bundles/minimal.yml#sandbox-policy)
pub(super) fn sandbox_policy_config(eval: &mut Evaluator) -> dsh_sandbox_policy::Config {
    if let Some(config) = eval.overlay("sandbox-policy") {
        return config;
    }
    let site = |field| Site {
        row: "sandbox-policy",
        field,
        file: "profiles/bundles/minimal.yml",
    };
    let config = dsh_sandbox_policy::Config {
        mode: dsh_sandbox_policy::SandboxMode::DangerFullAccess,
        workspace_root: eval
            .get(site("workspaceRoot"), "env.DSH_CWD if env.DSH_CWD is defined else cwd"),
    };
    eval.check("sandbox-policy", "profiles/bundles/minimal.yml", config)
}

// terminal-bash (profiles/bundles/minimal.yml#terminal-bash)
fn terminal_bash_config(eval: &mut Evaluator) -> dsh_terminal_bash::Config {
    if let Some(config) = eval.overlay("terminal-bash") {
        return config;
    }
    let config = dsh_terminal_bash::Config {
        backend_type: "shell".to_owned(),
        shell_path: PathBuf::from("/bin/bash"),
        shell_args: None,
        rows: 40,
        cols: 160,
        scrollback_lines: 10_000,
        scrollback_max_bytes: 4_194_304,
        max_read_bytes: 262_144,
        poll_interval_ms: 50,
        exact_probe_after_ms: 150,
        idle_silence_ms: 3_000,
        handoff_grace_ms: 500,
        timeout_ms: 300_000,
        dispose_grace_ms: 3_000,
    };
    eval.check("terminal-bash", "profiles/bundles/minimal.yml", config)
}

// fs-local (profiles/bundles/minimal.yml#fs-local)
fn fs_local_config(eval: &mut Evaluator) -> dsh_fs_local::Config {
    if let Some(config) = eval.overlay("fs-local") {
        return config;
    }
    let site = |field| Site {
        row: "fs-local",
        field,
        file: "profiles/bundles/minimal.yml",
    };
    let config = dsh_fs_local::Config {
        cwd: eval.get(site("cwd"), "env.DSH_CWD if env.DSH_CWD is defined else cwd"),
        diff_basis_max_bytes: 10_485_760,
    };
    eval.check("fs-local", "profiles/bundles/minimal.yml", config)
}

// persistent-bash (profiles/bundles/minimal.yml#persistent-bash)
pub(super) fn persistent_bash_config(
    eval: &mut Evaluator,
) -> dsh_tool_bash_persistent::Config {
    if let Some(config) = eval.overlay("persistent-bash") {
        return config;
    }
    let config = dsh_tool_bash_persistent::Config {
        backend_type: "shell".to_owned(),
        timeout_ms: 300_000,
        max_output_chars: 16_000,
        description: "Run a bash command. All calls of this agent share one shell: working directory, variables, functions and background jobs carry over from call to call. Output and error output come back together, and a non-zero exit code is reported at the end. Standard input is empty, so use non-interactive options. `exit` ends the shell; the next call starts a new one in the workspace."
            .to_owned(),
    };
    eval.check("persistent-bash", "profiles/bundles/minimal.yml", config)
}

// str-replace-editor (profiles/bundles/minimal.yml#str-replace-editor)
pub(super) fn str_replace_editor_config(
    eval: &mut Evaluator,
) -> dsh_tool_str_replace_editor::Config {
    if let Some(config) = eval.overlay("str-replace-editor") {
        return config;
    }
    let config = dsh_tool_str_replace_editor::Config {
        max_output_chars: 16_000,
        description: "Views, creates and edits text files.\n* `view` shows a file with line numbers, or the visible entries of a directory two levels deep; long output ends with `<response clipped>`.\n* `create` makes a new file and refuses a path that exists.\n* `str_replace` replaces `old_str`, which must match whole text exactly and occur only once: include enough lines around it.\n* `insert` puts `new_str` after a line."
            .to_owned(),
    };
    eval.check("str-replace-editor", "profiles/bundles/minimal.yml", config)
}

// sessions (profiles/bundles/minimal.yml#sessions)
fn sessions_config(eval: &mut Evaluator) -> dsh_session_persistence_jsonl::Config {
    if let Some(config) = eval.overlay("sessions") {
        return config;
    }
    let site = |field| Site {
        row: "sessions",
        field,
        file: "profiles/bundles/minimal.yml",
    };
    let config = dsh_session_persistence_jsonl::Config {
        root: eval
            .get(
                site("root"),
                "env.DSH_SESSION_ROOT if env.DSH_SESSION_ROOT is defined else (env.DSH_HOME | path('sessions') if env.DSH_HOME else './.sessions')",
            ),
        pack_chunks: true,
        compression: eval
            .get(
                site("compression"),
                "env.DSH_SESSION_COMPRESSION if env.DSH_SESSION_COMPRESSION is defined else 'none'",
            ),
        write_batch_max_delay_ms: 200,
    };
    eval.check("sessions", "profiles/bundles/minimal.yml", config)
}

// sdk-jsonrpc-server (profiles/bundles/minimal.yml#sdk-jsonrpc-server)
fn sdk_jsonrpc_server_config(eval: &mut Evaluator) -> dsh_sdk_jsonrpc_server::Config {
    if let Some(config) = eval.overlay("sdk-jsonrpc-server") {
        return config;
    }
    let config = dsh_sdk_jsonrpc_server::Config {
        max_tokens_as_success: false,
    };
    eval.check("sdk-jsonrpc-server", "profiles/bundles/minimal.yml", config)
}

// agent-loop (profiles/bundles/minimal.yml#agent-loop)
pub(super) fn agent_loop_config(eval: &mut Evaluator) -> dsh_agent_loop::Config {
    if let Some(config) = eval.overlay("agent-loop") {
        return config;
    }
    let config = dsh_agent_loop::Config {
        max_parallel_tool_calls: 10,
    };
    eval.check("agent-loop", "profiles/bundles/minimal.yml", config)
}

/// What the rows require of each other, and when they are off.
pub(super) static GRAPH: Graph = Graph {
    profile: "demo",
    groups: &[],
    rows: &[
        GraphRow::new("sdk-jsonrpc-server")
            .requires(
                &[("agents", &[Row::Agent as usize]), ("llm", &[Row::Llm as usize])],
            ),
        GraphRow::new("headless-runner")
            .requires(
                &[
                    ("agents", &[Row::Agent as usize]),
                    ("sessions", &[Row::Session as usize]),
                    ("agentDefaultModel", &[Row::AgentDefaultModel as usize]),
                ],
            ),
        GraphRow::new("llm"),
        GraphRow::new("llm-script").requires(&[("llm", &[Row::Llm as usize])]),
        GraphRow::new("llm-retry"),
        GraphRow::new("session"),
        GraphRow::new("session-title")
            .requires(&[("sessions", &[Row::Session as usize])]),
        GraphRow::new("system-prompt"),
        GraphRow::new("tools")
            .requires(&[("systemPrompt", &[Row::SystemPrompt as usize])]),
        GraphRow::new("agent"),
        GraphRow::new("agent-loop")
            .requires(
                &[
                    ("agents", &[Row::Agent as usize]),
                    ("sessions", &[Row::Session as usize]),
                    ("llm", &[Row::Llm as usize]),
                    ("tools", &[Row::Tools as usize]),
                    ("systemPrompt", &[Row::SystemPrompt as usize]),
                ],
            ),
        GraphRow::new("agent-default-model"),
        GraphRow::new("invariants"),
        GraphRow::new("sandbox-policy")
            .requires(&[("sessions", &[Row::Session as usize])]),
        GraphRow::new("subprocess"),
        GraphRow::new("pty"),
        GraphRow::new("terminal-bash")
            .requires(
                &[
                    ("terminals", &[Row::Pty as usize]),
                    ("subprocess", &[Row::Subprocess as usize]),
                    ("sandboxPolicy", &[Row::SandboxPolicy as usize]),
                ],
            ),
        GraphRow::new("fs-local"),
        GraphRow::new("persistent-bash")
            .requires(
                &[("terminals", &[Row::Pty as usize]), ("tools", &[Row::Tools as usize])],
            ),
        GraphRow::new("str-replace-editor")
            .requires(
                &[("fs", &[Row::FsLocal as usize]), ("tools", &[Row::Tools as usize])],
            ),
        GraphRow::new("sessions"),
        GraphRow::new("session-verb")
            .requires(
                &[
                    ("sessions", &[Row::Session as usize]),
                    ("sessionPersistence", &[Row::Sessions as usize]),
                ],
            ),
        GraphRow::new("session-export")
            .requires(
                &[
                    ("sessionPersistence", &[Row::Sessions as usize]),
                    ("subprocess", &[Row::Subprocess as usize]),
                ],
            ),
    ],
    exclusives: &[],
};

const _: Confirmed<dsh_agent::Agents> = Confirmed::by(Declared {
    digest: 0x79b6_30af_b443_3b76,
    provides: &["dsh-agent::Agents"],
    listens: &[],
    services: &["?dsh-runtime::Invariants"],
    dispatches: &[
        "dsh-agent::AgentCreated",
        "dsh-agent::AgentDisposed",
        "dsh-agent::AgentStatusChanged",
    ],
});

const _: Confirmed<dsh_agent_default_model::AgentDefaultModel> = Confirmed::by(Declared {
    digest: 0xd5ed_d1f5_eda4_9763,
    provides: &["dsh-agent-default-model::AgentDefaultModel"],
    listens: &[],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_agent_loop::AgentLoop> = Confirmed::by(Declared {
    digest: 0x821a_b702_945b_b8ef,
    provides: &[],
    listens: &[],
    services: &[
        "dsh-agent::Agents",
        "dsh-session::SessionStore",
        "dsh-llm::Llm",
        "dsh-tools::Tools",
        "dsh-system-prompt::SystemPrompt",
        "?dsh-session-persistence::SessionPersistence",
        "?dsh-runtime::Invariants",
    ],
    dispatches: &[
        "dsh-agent::AgentInboxInserted",
        "dsh-agent::AgentInboxClaimed",
        "dsh-agent::AgentInboxDiscarded",
        "dsh-agent::AgentStatusChanged",
        "dsh-agent::AgentSessionStart",
        "dsh-agent::AgentPreStep",
        "dsh-agent::AgentRequest",
        "dsh-agent::AgentRequestError",
        "dsh-agent::AgentTurnStopping",
        "dsh-agent::AgentError",
        "dsh-llm::LlmStream",
    ],
});

const _: Confirmed<dsh_fs_local::FsLocal> = Confirmed::by(Declared {
    digest: 0xa44c_dc21_f39a_0db0,
    provides: &["dsh-fs::Fs"],
    listens: &[],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_headless::Headless> = Confirmed::by(Declared {
    digest: 0xc866_b285_7944_64a3,
    provides: &[],
    listens: &["dsh-session::SessionEventAppended", "dsh-agent::AgentPreStep"],
    services: &[
        "dsh-agent::Agents",
        "dsh-session::SessionStore",
        "dsh-agent-default-model::AgentDefaultModel",
        "?dsh-session-persistence::SessionPersistence",
        "?dsh-sandbox-policy::SandboxPolicy",
    ],
    dispatches: &[],
});

const _: Confirmed<dsh_invariants::InvariantRegistry> = Confirmed::by(Declared {
    digest: 0xd867_8526_7324_603d,
    provides: &["dsh-runtime::Invariants"],
    listens: &[],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_llm::Llm> = Confirmed::by(Declared {
    digest: 0x8434_c4eb_33cc_8f0c,
    provides: &["dsh-llm::Llm"],
    listens: &[],
    services: &["?dsh-runtime::Invariants"],
    dispatches: &["dsh-llm::LlmStream", "dsh-llm::LlmAdaptersUpdated"],
});

const _: Confirmed<dsh_llm_retry::LlmRetries> = Confirmed::by(Declared {
    digest: 0x8c03_f21d_9df4_f1d4,
    provides: &[],
    listens: &["dsh-agent::AgentRequestError", "dsh-session::SessionDisposed"],
    services: &["?dsh-runtime::Invariants"],
    dispatches: &["dsh-session::SessionCommitting", "dsh-session::SessionDisposed"],
});

const _: Confirmed<dsh_llm_script::ScriptedModel> = Confirmed::by(Declared {
    digest: 0xec90_977e_db06_65e9,
    provides: &[],
    listens: &[],
    services: &["dsh-llm::Llm"],
    dispatches: &[],
});

const _: Confirmed<dsh_sandbox_policy::SessionSandboxPolicy> = Confirmed::by(Declared {
    digest: 0x420a_077b_6883_7b9f,
    provides: &["dsh-sandbox-policy::SandboxPolicy"],
    listens: &[
        "dsh-session::SessionCreated",
        "dsh-session::SessionEventAppended",
        "dsh-session::SessionDisposed",
    ],
    services: &["dsh-session::SessionStore", "?dsh-system-prompt::SystemPrompt"],
    dispatches: &[],
});

const _: Confirmed<dsh_sdk_jsonrpc_server::SdkJsonrpcServer> = Confirmed::by(Declared {
    digest: 0xf762_b43c_1ff6_ed9d,
    provides: &[],
    listens: &[
        "dsh-session::SessionEventAppended",
        "dsh-agent::AgentStatusChanged",
        "dsh-session::SessionCreated",
    ],
    services: &[
        "dsh-agent::Agents",
        "dsh-llm::Llm",
        "?dsh-session-persistence::SessionPersistence",
    ],
    dispatches: &[],
});

const _: Confirmed<dsh_session::SessionStore> = Confirmed::by(Declared {
    digest: 0x52b6_f3fa_0bad_542f,
    provides: &["dsh-session::SessionStore"],
    listens: &[],
    services: &["?dsh-runtime::Invariants"],
    dispatches: &[
        "dsh-session::SessionCreated",
        "dsh-session::SessionDisposed",
        "dsh-session::SessionCommitting",
        "dsh-session::SessionEventAppended",
        "dsh-session::SessionFlush",
    ],
});

const _: Confirmed<dsh_session_export::SessionExport> = Confirmed::by(Declared {
    digest: 0x3337_e741_2529_4692,
    provides: &[],
    listens: &[],
    services: &[
        "dsh-session-persistence::SessionPersistence",
        "dsh-subprocess::Subprocess",
        "?dsh-sandbox-policy::SandboxPolicy",
    ],
    dispatches: &[],
});

const _: Confirmed<dsh_session_persistence_jsonl::SessionPersistenceJsonl> = Confirmed::by(Declared {
    digest: 0xa1ab_1575_0600_99c7,
    provides: &["dsh-session-persistence::SessionPersistence"],
    listens: &[
        "dsh-session::SessionCreated",
        "dsh-session::SessionCommitting",
        "dsh-session::SessionEventAppended",
        "dsh-session::SessionFlush",
        "dsh-session::SessionDisposed",
    ],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_session_title::SessionTitles> = Confirmed::by(Declared {
    digest: 0xfa57_f530_5df2_4b46,
    provides: &[],
    listens: &[
        "dsh-session::SessionCreated",
        "dsh-session::SessionEventAppended",
        "dsh-session::SessionDisposed",
    ],
    services: &["dsh-session::SessionStore"],
    dispatches: &[],
});

const _: Confirmed<dsh_session_verb::SessionVerb> = Confirmed::by(Declared {
    digest: 0x065b_72cf_6815_1870,
    provides: &[],
    listens: &[],
    services: &[
        "dsh-session::SessionStore",
        "dsh-session-persistence::SessionPersistence",
    ],
    dispatches: &[],
});

const _: Confirmed<dsh_subprocess_local::SubprocessLocal> = Confirmed::by(Declared {
    digest: 0xe913_d21f_c4bf_53de,
    provides: &["dsh-subprocess::Subprocess"],
    listens: &[],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_system_prompt::SystemPrompt> = Confirmed::by(Declared {
    digest: 0x4697_36b6_359d_23f5,
    provides: &["dsh-system-prompt::SystemPrompt"],
    listens: &[],
    services: &[],
    dispatches: &[
        "dsh-system-prompt::SystemPromptAssemble",
        "dsh-system-prompt::SystemPromptChange",
    ],
});

const _: Confirmed<dsh_terminal::Terminals> = Confirmed::by(Declared {
    digest: 0x6987_ae71_d698_9f34,
    provides: &["dsh-terminal::Terminals"],
    listens: &[],
    services: &["?dsh-agent::Agents"],
    dispatches: &[],
});

const _: Confirmed<dsh_terminal_bash::TerminalBash> = Confirmed::by(Declared {
    digest: 0x84b3_0e55_d091_be09,
    provides: &[],
    listens: &[],
    services: &[
        "dsh-terminal::Terminals",
        "dsh-subprocess::Subprocess",
        "dsh-sandbox-policy::SandboxPolicy",
    ],
    dispatches: &[],
});

const _: Confirmed<dsh_tool_bash_persistent::ToolBashPersistent> = Confirmed::by(Declared {
    digest: 0x9256_20bd_9862_2d32,
    provides: &[],
    listens: &[],
    services: &["dsh-terminal::Terminals"],
    dispatches: &[],
});

const _: Confirmed<dsh_tool_str_replace_editor::StrReplaceEditor> = Confirmed::by(Declared {
    digest: 0x9990_d5fb_d594_ec53,
    provides: &[],
    listens: &[],
    services: &["dsh-fs::Fs", "?dsh-sandbox-policy::SandboxPolicy"],
    dispatches: &["dsh-fs::FsWriteIntent", "dsh-fs::FsEditIntent", "dsh-fs::FsObserved"],
});

const _: Confirmed<dsh_tools::Tools> = Confirmed::by(Declared {
    digest: 0x9457_0cca_cce8_9eee,
    provides: &["dsh-tools::Tools"],
    listens: &[],
    services: &["dsh-system-prompt::SystemPrompt", "?dsh-runtime::Invariants"],
    dispatches: &[
        "dsh-tools::ToolsPreExecute",
        "dsh-tools::ToolsExecute",
        "dsh-tools::ToolsPostExecute",
        "dsh-tools::ToolsResult",
        "dsh-tools::ToolsChange",
    ],
});
