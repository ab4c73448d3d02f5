// Made by `dsh-build sync two-providers-of-which-a-condition-chooses-one`. Change the profile, not this file.

use dsh_runtime::boot::{Boot, BootError, Entries, Graph, GraphRow, Rows, contributed};
use dsh_runtime::{
    BoxFuture, Confirmed, Declared, Evaluator, Identity, Mounted, NoConfig, NoInject,
    Topic, Vocabulary,
};

/// What the binary knows of itself without mounting anything.
pub static IDENTITY: Identity = Identity {
    profile: "two-providers-of-which-a-condition-chooses-one",
    aliases: &[],
    version: env!("CARGO_PKG_VERSION"),
    digest: "59b513350aa87102",
    serves: false,
    verbs: &[],
    vocabulary: Vocabulary {
        digest: "cbf29ce484222325",
        words: &[],
    },
};

/// The rows in the order of the composition, in which listeners of one event run.
enum Row {
    Subprocess,
    Tools,
    Bash,
    Sandbox,
    ToolBash,
}

/// The events that a row dispatches or hears.
#[derive(Default)]
struct Topics {
    /// `tools/pre-execute`
    tools_pre_execute: Topic<dsh_tools::ToolsPreExecute>,
}

/// Mounts the composition.
pub fn mount(boot: &mut Boot) -> BoxFuture<'_, Result<Entries, BootError>> {
    Box::pin(mount_rows(boot))
}

async fn mount_rows(boot: &mut Boot) -> Result<Entries, BootError> {
    let configs = boot.resolve(&GRAPH, Configs::resolve)?;
    let topics = Topics::default();
    // subprocess (profile.yml#subprocess)
    let subprocess: Mounted<dsh_subprocess_local::SubprocessLocal> = boot
        .mount(Row::Subprocess as usize, "subprocess", NoConfig {}, NoInject {})
        .await?;
    // tools (profile.yml#tools)
    let tools: Mounted<dsh_tools::Tools> = boot
        .mount(
            Row::Tools as usize,
            "tools",
            NoConfig {},
            dsh_tools::Inject {
                pre_execute: topics.tools_pre_execute.dispatcher(),
            },
        )
        .await?;
    // bash (profile.yml#bash)
    let bash: Option<Mounted<dsh_bash_local::BashLocal>> = boot
        .mount_if_on(
            Row::Bash as usize,
            "bash",
            || Some((
                configs.bash?,
                dsh_bash_local::Inject {
                    subprocess: subprocess.plugin(),
                },
            )),
        )
        .await?;
    // sandbox (profile.yml#sandbox)
    let sandbox: Option<Mounted<dsh_bash_sandbox::BashSandbox>> = boot
        .mount_if_on(
            Row::Sandbox as usize,
            "sandbox",
            || Some((
                NoConfig {},
                dsh_bash_sandbox::Inject {
                    subprocess: subprocess.plugin(),
                },
            )),
        )
        .await?;
    // tool-bash (profile.yml#tool-bash)
    let tool_bash: Option<Mounted<dsh_tool_bash::ToolBash>> = boot
        .mount_if_on(
            Row::ToolBash as usize,
            "tool-bash",
            || Some((
                NoConfig {},
                dsh_tool_bash::Inject {
                    shell: match (&bash, &sandbox) {
                        (Some(row), _) => row.plugin(),
                        (_, Some(row)) => row.plugin(),
                        _ => return None,
                    },
                },
            )),
        )
        .await?;
    // tools
    if let (Some(registry), Some(row)) = (Some(&tools), tool_bash.as_ref()) {
        contributed(row.context(), registry.plugin().contribute(row))?;
    }
    Ok(boot.finish())
}

/// The config of every row that takes one.
struct Configs {
    bash: Option<dsh_bash_local::Config>,
}

impl Configs {
    fn resolve(eval: &mut Evaluator, rows: &Rows) -> Self {
        Self {
            bash: rows.is_on(Row::Bash as usize).then(|| bash_config(eval)),
        }
    }
}

// bash (profile.yml#bash)
fn bash_config(eval: &mut Evaluator) -> dsh_bash_local::Config {
    let config = dsh_bash_local::Config {
        timeout_ms: 300_000,
        shells: Vec::from(["bash".to_owned(), "sh".to_owned()]),
        cwd: None,
        inherit_environment: false,
        niceness: 0,
    };
    eval.check("bash", "profile.yml", config)
}

/// What the rows require of each other, and when they are off.
pub(super) static GRAPH: Graph = Graph {
    profile: "two-providers-of-which-a-condition-chooses-one",
    groups: &[],
    rows: &[
        GraphRow::new("subprocess"),
        GraphRow::new("tools"),
        GraphRow::new("bash").off_when("env.SANDBOX is defined", "profile.yml"),
        GraphRow::new("sandbox").off_when("env.SANDBOX is not defined", "profile.yml"),
        GraphRow::new("tool-bash"),
    ],
    exclusives: &[],
};

const _: Confirmed<dsh_bash_local::BashLocal> = Confirmed::by(Declared {
    digest: 0x0000_0000_0000_0000,
    provides: &["dsh-shell::ShellExecutor"],
    listens: &[],
    services: &["dsh-subprocess::Subprocess"],
    dispatches: &[],
});

const _: Confirmed<dsh_bash_sandbox::BashSandbox> = Confirmed::by(Declared {
    digest: 0x0000_0000_0000_0000,
    provides: &["dsh-shell::ShellExecutor"],
    listens: &[],
    services: &["dsh-subprocess::Subprocess"],
    dispatches: &[],
});

const _: Confirmed<dsh_subprocess_local::SubprocessLocal> = Confirmed::by(Declared {
    digest: 0x0000_0000_0000_0000,
    provides: &["dsh-subprocess::Subprocess"],
    listens: &[],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_tool_bash::ToolBash> = Confirmed::by(Declared {
    digest: 0x0000_0000_0000_0000,
    provides: &[],
    listens: &[],
    services: &["dsh-shell::ShellExecutor"],
    dispatches: &[],
});

const _: Confirmed<dsh_tools::Tools> = Confirmed::by(Declared {
    digest: 0x0000_0000_0000_0000,
    provides: &["dsh-tools::Tools"],
    listens: &[],
    services: &[],
    dispatches: &["dsh-tools::ToolsPreExecute"],
});
