// Made by `dsh-build sync options`. Change the profile, not this file.

use dsh_runtime::boot::{
    Boot, BootError, Entries, Graph, GraphGroup, GraphRow, Rows, contributed,
};
use dsh_runtime::{
    BoxFuture, Confirmed, Declared, Evaluator, Identity, Mounted, NoConfig, NoInject,
    Site, Topic, Vocabulary,
};

/// What the binary knows of itself without mounting anything.
pub static IDENTITY: Identity = Identity {
    profile: "options",
    aliases: &[],
    version: env!("CARGO_PKG_VERSION"),
    digest: "de9a428321d3b91f",
    serves: false,
    verbs: &[],
    vocabulary: Vocabulary {
        digest: "cbf29ce484222325",
        words: &[],
    },
};

/// The rows in the order of the composition, in which listeners of one event run.
enum Row {
    SubprocessLocal,
    Local,
    Remote,
    Tools,
    Run,
    Count,
    OwnTools,
    OwnShell,
    OwnRun,
    CodeGuard,
    CodeShell,
    CodeRunCode,
}

/// The events that a row dispatches or hears.
#[derive(Clone, Default)]
struct Topics {
    /// `tools/post-execute`
    tools_post_execute: Topic<dsh_tools::PostExecute>,
    /// `tools/pre-execute`
    tools_pre_execute: Topic<dsh_tools::PreExecute>,
}

/// Mounts the composition.
pub fn mount(boot: &mut Boot) -> BoxFuture<'_, Result<Entries, BootError>> {
    Box::pin(mount_rows(boot))
}

async fn mount_rows(boot: &mut Boot) -> Result<Entries, BootError> {
    let configs = boot.resolve(&GRAPH, Configs::resolve)?;
    let topics = Topics::default();
    // subprocess-local (profiles/bundles/shells.yml#subprocess-local)
    let subprocess_local: Option<Mounted<dsh_subprocess_local::SubprocessLocal>> = boot
        .mount_if_on(
            Row::SubprocessLocal as usize,
            "subprocess-local",
            || Some((NoConfig {}, NoInject {})),
        )
        .await?;
    // local (profiles/bundles/shells.yml#local)
    let local: Option<Mounted<dsh_shell_local::ShellLocal>> = boot
        .mount_if_on(
            Row::Local as usize,
            "local",
            || Some((
                NoConfig {},
                dsh_shell_local::Inject {
                    subprocess: subprocess_local.as_ref()?.plugin(),
                },
            )),
        )
        .await?;
    // remote (profiles/bundles/shells.yml#remote)
    let remote: Option<Mounted<dsh_shell_remote::ShellRemote>> = boot
        .mount_if_on(
            Row::Remote as usize,
            "remote",
            || Some((configs.remote?, NoInject {})),
        )
        .await?;
    // tools (profiles/options/profile.yml#tools)
    let tools: Option<Mounted<dsh_tools::Tools>> = boot
        .mount_if_on(
            Row::Tools as usize,
            "tools",
            || Some((
                NoConfig {},
                dsh_tools::Inject {
                    pre_execute: topics.tools_pre_execute.dispatcher(),
                    post_execute: topics.tools_post_execute.dispatcher(),
                },
            )),
        )
        .await?;
    // run (profiles/options/profile.yml#run)
    let run: Option<Mounted<dsh_run::Run>> = boot
        .mount_if_on(
            Row::Run as usize,
            "run",
            || Some((
                configs.run?,
                dsh_run::Inject {
                    shell: match (&local, &remote) {
                        (Some(row), _) => row.plugin(),
                        (_, Some(row)) => row.plugin(),
                        _ => return None,
                    },
                    tools: tools.as_ref().map(Mounted::plugin),
                },
            )),
        )
        .await?;
    // count (profiles/options/profile.yml#count)
    let _count: Option<Mounted<dsh_count::Count>> = boot
        .mount_if_on(
            Row::Count as usize,
            "count",
            || Some((
                NoConfig {},
                dsh_count::Inject {
                    shell: match (&local, &remote) {
                        (Some(row), _) => Some(row.plugin()),
                        (_, Some(row)) => Some(row.plugin()),
                        _ => None,
                    },
                },
            )),
        )
        .await?;
    // own-tools (profiles/options/profile.yml#own-tools)
    let own_tools: Option<Mounted<dsh_tools::Tools>> = boot
        .mount_if_on(
            Row::OwnTools as usize,
            "own-tools",
            || Some((
                NoConfig {},
                dsh_tools::Inject {
                    pre_execute: topics.tools_pre_execute.dispatcher(),
                    post_execute: topics.tools_post_execute.dispatcher(),
                },
            )),
        )
        .await?;
    // own-shell (profiles/options/profile.yml#own-shell)
    let own_shell: Option<Mounted<dsh_shell_remote::ShellRemote>> = boot
        .mount_if_on(
            Row::OwnShell as usize,
            "own-shell",
            || Some((configs.own_shell?, NoInject {})),
        )
        .await?;
    // own-run (profiles/options/profile.yml#own-run)
    let own_run: Option<Mounted<dsh_run::Run>> = boot
        .mount_if_on(
            Row::OwnRun as usize,
            "own-run",
            || Some((
                configs.own_run?,
                dsh_run::Inject {
                    shell: own_shell.as_ref()?.plugin(),
                    tools: own_tools.as_ref().map(Mounted::plugin),
                },
            )),
        )
        .await?;
    // listeners, of each event in the order in which they run
    topics.tools_pre_execute.attach(&run);
    topics.tools_pre_execute.attach(&own_run);
    // tools
    if let (Some(registry), Some(row)) = (tools.as_ref(), run.as_ref()) {
        contributed(row.context(), registry.plugin().contribute(row))?;
    }
    if let (Some(registry), Some(row)) = (own_tools.as_ref(), own_run.as_ref()) {
        contributed(row.context(), registry.plugin().contribute(row))?;
    }
    // presets, which mount when an agent first selects them
    boot.offer(
        "code",
        PresetCode {
            configs: configs.preset_code,
            topics: topics.clone(),
            local: local.clone(),
            remote: remote.clone(),
            tools: tools.clone(),
        },
        mount_preset_code,
    );
    Ok(boot.finish())
}

/// What the rows of the preset `code` take from the composition.
#[derive(Clone)]
struct PresetCode {
    configs: PresetCodeConfigs,
    topics: Topics,
    local: Option<Mounted<dsh_shell_local::ShellLocal>>,
    remote: Option<Mounted<dsh_shell_remote::ShellRemote>>,
    tools: Option<Mounted<dsh_tools::Tools>>,
}

/// Mounts the preset `code`.
fn mount_preset_code(
    boot: &mut Boot,
    given: PresetCode,
) -> BoxFuture<'_, Result<(), BootError>> {
    Box::pin(mount_rows_of_preset_code(boot, given))
}

async fn mount_rows_of_preset_code(
    boot: &mut Boot,
    given: PresetCode,
) -> Result<(), BootError> {
    let PresetCode { configs, topics, local, remote, tools } = given;
    // code/guard (profiles/options/profile.yml#code/guard)
    let code_guard: Option<Mounted<dsh_guard::Guard>> = boot
        .mount_if_on(
            Row::CodeGuard as usize,
            "code/guard",
            || Some((configs.code_guard?, NoInject {})),
        )
        .await?;
    // code/shell (profiles/options/profile.yml#code/shell)
    let code_shell: Option<Mounted<dsh_shell_remote::ShellRemote>> = boot
        .mount_if_on(
            Row::CodeShell as usize,
            "code/shell",
            || Some((configs.code_shell?, NoInject {})),
        )
        .await?;
    // code/run-code (profiles/options/profile.yml#code/run-code)
    let code_run_code: Option<Mounted<dsh_run::Run>> = boot
        .mount_if_on(
            Row::CodeRunCode as usize,
            "code/run-code",
            || Some((
                configs.code_run_code?,
                dsh_run::Inject {
                    shell: match (&code_shell, &local, &remote) {
                        (Some(row), _, _) => row.plugin(),
                        (_, Some(row), _) => row.plugin(),
                        (_, _, Some(row)) => row.plugin(),
                        _ => return None,
                    },
                    tools: tools.as_ref().map(Mounted::plugin),
                },
            )),
        )
        .await?;
    // listeners, of each event in the order in which they run
    topics.tools_pre_execute.attach(&code_guard);
    topics.tools_pre_execute.attach(&code_run_code);
    // tools
    if let (Some(registry), Some(row)) = (tools.as_ref(), code_run_code.as_ref()) {
        contributed(row.context(), registry.plugin().contribute(row))?;
    }
    Ok(())
}

/// The config of every row that takes one.
struct Configs {
    remote: Option<dsh_shell_remote::Config>,
    run: Option<dsh_run::Config>,
    own_shell: Option<dsh_shell_remote::Config>,
    own_run: Option<dsh_run::Config>,
    preset_code: PresetCodeConfigs,
}

impl Configs {
    fn resolve(eval: &mut Evaluator, rows: &Rows) -> Self {
        Self {
            remote: rows.is_on(Row::Remote as usize).then(|| remote_config(eval)),
            run: rows.is_on(Row::Run as usize).then(|| run_config(eval)),
            own_shell: rows
                .is_on(Row::OwnShell as usize)
                .then(|| own_shell_config(eval)),
            own_run: rows.is_on(Row::OwnRun as usize).then(|| own_run_config(eval)),
            preset_code: PresetCodeConfigs::resolve(eval, rows),
        }
    }
}

/// The config of every row of the preset `code` that takes one.
#[derive(Clone)]
struct PresetCodeConfigs {
    code_guard: Option<dsh_guard::Config>,
    code_shell: Option<dsh_shell_remote::Config>,
    code_run_code: Option<dsh_run::Config>,
}

impl PresetCodeConfigs {
    fn resolve(eval: &mut Evaluator, rows: &Rows) -> Self {
        Self {
            code_guard: rows
                .is_on(Row::CodeGuard as usize)
                .then(|| code_guard_config(eval)),
            code_shell: rows
                .is_on(Row::CodeShell as usize)
                .then(|| code_shell_config(eval)),
            code_run_code: rows
                .is_on(Row::CodeRunCode as usize)
                .then(|| code_run_code_config(eval)),
        }
    }
}

// remote (profiles/bundles/shells.yml#remote)
fn remote_config(eval: &mut Evaluator) -> dsh_shell_remote::Config {
    if let Some(config) = eval.overlay("remote") {
        return config;
    }
    let site = |field| Site {
        row: "remote",
        field,
        file: "profiles/bundles/shells.yml",
    };
    let config = dsh_shell_remote::Config {
        host: eval.get(site("host"), "env.SHELL_HOST"),
    };
    eval.check("remote", "profiles/bundles/shells.yml", config)
}

// run (profiles/options/profile.yml#run)
pub(super) fn run_config(eval: &mut Evaluator) -> dsh_run::Config {
    if let Some(config) = eval.overlay("run") {
        return config;
    }
    let config = dsh_run::Config {
        name: "run".to_owned(),
    };
    eval.check("run", "profiles/options/profile.yml", config)
}

// own-shell (profiles/options/profile.yml#own-shell)
fn own_shell_config(eval: &mut Evaluator) -> dsh_shell_remote::Config {
    if let Some(config) = eval.overlay("own-shell") {
        return config;
    }
    let config = dsh_shell_remote::Config {
        host: "box".to_owned(),
    };
    eval.check("own-shell", "profiles/options/profile.yml", config)
}

// own-run (profiles/options/profile.yml#own-run)
pub(super) fn own_run_config(eval: &mut Evaluator) -> dsh_run::Config {
    if let Some(config) = eval.overlay("own-run") {
        return config;
    }
    let config = dsh_run::Config {
        name: "run".to_owned(),
    };
    eval.check("own-run", "profiles/options/profile.yml", config)
}

// code/guard (profiles/options/profile.yml#code/guard)
fn code_guard_config(eval: &mut Evaluator) -> dsh_guard::Config {
    if let Some(config) = eval.overlay("code/guard") {
        return config;
    }
    let config = dsh_guard::Config {
        mode: dsh_guard::Mode::ReadOnly,
    };
    eval.check("code/guard", "profiles/options/profile.yml", config)
}

// code/shell (profiles/options/profile.yml#code/shell)
fn code_shell_config(eval: &mut Evaluator) -> dsh_shell_remote::Config {
    if let Some(config) = eval.overlay("code/shell") {
        return config;
    }
    let config = dsh_shell_remote::Config {
        host: "code".to_owned(),
    };
    eval.check("code/shell", "profiles/options/profile.yml", config)
}

// code/run-code (profiles/options/profile.yml#code/run-code)
pub(super) fn code_run_code_config(eval: &mut Evaluator) -> dsh_run::Config {
    if let Some(config) = eval.overlay("code/run-code") {
        return config;
    }
    let config = dsh_run::Config {
        name: "run_more".to_owned(),
    };
    eval.check("code/run-code", "profiles/options/profile.yml", config)
}

/// The groups of the composition.
enum Group {
    Extras,
    Confined,
}

/// What the rows require of each other, and when they are off.
pub(super) static GRAPH: Graph = Graph {
    profile: "options",
    groups: &[
        GraphGroup::new("extras")
            .off_when("env.BARE is defined", "profiles/options/profile.yml"),
        GraphGroup::new("confined").within(Group::Extras as usize),
    ],
    rows: &[
        GraphRow::new("subprocess-local")
            .off_when("env.SHELL_HOST is defined", "profiles/bundles/shells.yml"),
        GraphRow::new("local")
            .off_when("env.SHELL_HOST is defined", "profiles/bundles/shells.yml")
            .requires(&[("subprocess", &[Row::SubprocessLocal as usize])]),
        GraphRow::new("remote")
            .off_when("env.SHELL_HOST is not defined", "profiles/bundles/shells.yml"),
        GraphRow::new("tools"),
        GraphRow::new("run")
            .requires(
                &[
                    ("shell", &[Row::Local as usize, Row::Remote as usize]),
                    ("tools", &[Row::Tools as usize]),
                ],
            ),
        GraphRow::new("count"),
        GraphRow::new("own-tools").within(Group::Confined as usize),
        GraphRow::new("own-shell").within(Group::Confined as usize),
        GraphRow::new("own-run")
            .within(Group::Confined as usize)
            .requires(
                &[
                    ("shell", &[Row::OwnShell as usize]),
                    ("tools", &[Row::OwnTools as usize]),
                ],
            ),
        GraphRow::new("code/guard"),
        GraphRow::new("code/shell")
            .off_when("env.BARE is defined", "profiles/options/profile.yml"),
        GraphRow::new("code/run-code")
            .requires(
                &[
                    (
                        "shell",
                        &[
                            Row::CodeShell as usize,
                            Row::Local as usize,
                            Row::Remote as usize,
                        ],
                    ),
                    ("tools", &[Row::Tools as usize]),
                ],
            ),
    ],
    exclusives: &[("the service `shell`", &[Row::Local as usize, Row::Remote as usize])],
};

const _: Confirmed<dsh_count::Count> = Confirmed::by(Declared {
    digest: 0xb16e_7421_2071_196f,
    provides: &[],
    listens: &[],
    services: &["?dsh-shell::Shell"],
    dispatches: &[],
});

const _: Confirmed<dsh_guard::Guard> = Confirmed::by(Declared {
    digest: 0xf591_c6a3_50dc_1ef4,
    provides: &[],
    listens: &["dsh-tools::PreExecute"],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_run::Run> = Confirmed::by(Declared {
    digest: 0x21e7_e833_8304_1861,
    provides: &[],
    listens: &["dsh-tools::PreExecute"],
    services: &["dsh-shell::Shell", "?dsh-tools::Tools"],
    dispatches: &[],
});

const _: Confirmed<dsh_shell_local::ShellLocal> = Confirmed::by(Declared {
    digest: 0x393d_5f4e_d0d4_be66,
    provides: &["dsh-shell::Shell"],
    listens: &[],
    services: &["dsh-subprocess::Subprocess"],
    dispatches: &[],
});

const _: Confirmed<dsh_shell_remote::ShellRemote> = Confirmed::by(Declared {
    digest: 0x03a9_3184_d6f5_4934,
    provides: &["dsh-shell::Shell"],
    listens: &[],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_subprocess_local::SubprocessLocal> = Confirmed::by(Declared {
    digest: 0x11b5_aed3_6eef_b216,
    provides: &["dsh-subprocess::Subprocess"],
    listens: &[],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_tools::Tools> = Confirmed::by(Declared {
    digest: 0xc26f_8444_ee4a_0a22,
    provides: &["dsh-tools::Tools"],
    listens: &[],
    services: &[],
    dispatches: &["dsh-tools::PreExecute", "dsh-tools::PostExecute"],
});
