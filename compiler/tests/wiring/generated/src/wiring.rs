// Made by `dsh-build sync small`. Change the profile, not this file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use dsh_runtime::boot::{Boot, BootError, Entries, Graph, GraphRow, Rows, contributed};
use dsh_runtime::{
    BoxFuture, Confirmed, Declared, Evaluator, Identity, Mounted, NoConfig, NoInject,
    SecretEnv, Site, Topic, Verb, Verbs, Vocabulary,
};

/// What the binary knows of itself without mounting anything.
pub static IDENTITY: Identity = Identity {
    profile: "small",
    aliases: &["tiny"],
    version: env!("CARGO_PKG_VERSION"),
    digest: "9f0477b0e8d306c4",
    serves: true,
    verbs: &[
        Verb {
            name: "run",
            about: "Runs one task",
            usage: <dsh_server::Server as Verbs>::usage,
        },
    ],
    vocabulary: Vocabulary {
        digest: "cbf29ce484222325",
        words: &[],
    },
};

/// The rows in the order of the composition, in which listeners of one event run.
enum Row {
    Type,
    Tools,
    Guard,
    SubprocessLocal,
    Server,
}

/// The events that a row dispatches or hears.
#[derive(Default)]
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
    // tools (profiles/bundles/base.yml#tools)
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
    // guard (profiles/bundles/base.yml#guard)
    let guard: Option<Mounted<dsh_guard::Guard>> = boot
        .mount_if_on(
            Row::Guard as usize,
            "guard",
            || Some((configs.guard?, NoInject {})),
        )
        .await?;
    // subprocess-local (profiles/small/profile.yml#subprocess-local)
    let subprocess_local: Option<Mounted<dsh_subprocess_local::SubprocessLocal>> = boot
        .mount_if_on(
            Row::SubprocessLocal as usize,
            "subprocess-local",
            || Some((NoConfig {}, NoInject {})),
        )
        .await?;
    // type (profiles/bundles/base.yml#type)
    let type_2: Option<Mounted<dsh_bash::Bash>> = boot
        .mount_if_on(
            Row::Type as usize,
            "type",
            || Some((
                configs.type_2?,
                dsh_bash::Inject {
                    subprocess: subprocess_local.as_ref()?.plugin(),
                    invariants: None,
                },
            )),
        )
        .await?;
    // server (profiles/small/profile.yml#server)
    let server: Option<Mounted<dsh_server::Server>> = boot
        .mount_if_on(Row::Server as usize, "server", || Some((NoConfig {}, NoInject {})))
        .await?;
    // listeners, of each event in the order in which they run
    topics.tools_pre_execute.attach(&guard);
    topics.tools_pre_execute.attach(&type_2);
    // tools
    if let (Some(registry), Some(row)) = (tools.as_ref(), type_2.as_ref()) {
        contributed(row.context(), registry.plugin().contribute(row))?;
    }
    Ok(boot.finish().serve(&server).verbs(&server))
}

/// The config of every row that takes one.
struct Configs {
    guard: Option<dsh_guard::Config>,
    type_2: Option<dsh_bash::Config>,
}

impl Configs {
    fn resolve(eval: &mut Evaluator, rows: &Rows) -> Self {
        Self {
            guard: rows.is_on(Row::Guard as usize).then(|| guard_config(eval)),
            type_2: rows.is_on(Row::Type as usize).then(|| type_2_config(eval)),
        }
    }
}

// guard (profiles/bundles/base.yml#guard)
fn guard_config(eval: &mut Evaluator) -> dsh_guard::Config {
    if let Some(config) = eval.overlay("guard") {
        return config;
    }
    let config = dsh_guard::Config {
        mode: dsh_guard::Mode::Everything,
    };
    eval.check("guard", "profiles/bundles/base.yml", config)
}

// type (profiles/bundles/base.yml#type)
pub(super) fn type_2_config(eval: &mut Evaluator) -> dsh_bash::Config {
    if let Some(config) = eval.overlay("type") {
        return config;
    }
    let site = |field| Site {
        row: "type",
        field,
        file: "profiles/bundles/base.yml",
    };
    let config = dsh_bash::Config {
        name: "bash".to_owned(),
        timeout_ms: 5_000,
        ratio: 0.5,
        shells: Vec::from([
            dsh_bash::Shell {
                program: PathBuf::from("/bin/sh"),
                words: Vec::from(["-c".to_owned(), "say \"hi\"\n".to_owned()]),
            },
            dsh_bash::Shell {
                program: eval.get(site("shells[1].program"), "env.SHELL"),
                words: Vec::new(),
            },
        ]),
        variables: BTreeMap::from([
            ("a".to_owned(), eval.get(site("variables.a"), "env.A or 'one'")),
            ("b".to_owned(), "two".to_owned()),
        ]),
        cwd: eval.get(site("cwd"), "cwd"),
        nice: -20,
        r#type: SecretEnv::new("BASH_KEY"),
    };
    eval.check("type", "profiles/bundles/base.yml", config)
}

/// What the rows require of each other, and when they are off.
pub(super) static GRAPH: Graph = Graph {
    profile: "small",
    groups: &[],
    rows: &[
        GraphRow::new("type")
            .requires(
                &[
                    ("subprocess", &[Row::SubprocessLocal as usize]),
                    ("tools", &[Row::Tools as usize]),
                ],
            ),
        GraphRow::new("tools"),
        GraphRow::new("guard"),
        GraphRow::new("subprocess-local"),
        GraphRow::new("server"),
    ],
    exclusives: &[],
};

const _: Confirmed<dsh_bash::Bash> = Confirmed::by(Declared {
    digest: 0xd54d_1425_de35_3bd6,
    provides: &[],
    listens: &["dsh-tools::PreExecute"],
    services: &["dsh-subprocess::Subprocess", "?dsh-runtime::Invariants"],
    dispatches: &[],
});

const _: Confirmed<dsh_guard::Guard> = Confirmed::by(Declared {
    digest: 0xf591_c6a3_50dc_1ef4,
    provides: &[],
    listens: &["dsh-tools::PreExecute"],
    services: &[],
    dispatches: &[],
});

const _: Confirmed<dsh_server::Server> = Confirmed::by(Declared {
    digest: 0x46cf_d953_9bc8_8169,
    provides: &[],
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
