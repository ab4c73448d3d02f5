// Made by `dsh-build sync small`. Change the profile, not this file.

use dsh_runtime::description::{
    Carried, Description, EventDescription, PluginDescription, PromptDescription,
    ReadDescription, RowDescription, ServiceDescription, SurroundingsDescription,
    ToolDescription,
};
use dsh_runtime::Evaluator;
use super::wiring::{type_2_config, GRAPH};

/// What the binary tells of itself without mounting anything.
pub static DESCRIPTION: Description = Description {
    composed: include_str!("composed.yml"),
    bundles: include_str!("bundles.yml"),
    frame: 0xad7d_ddd7_8460_900b,
    surroundings: SurroundingsDescription {
        set: &[],
        expressions: &[
            ReadDescription {
                name: "cwd",
                row: "type",
                field: "cwd",
            },
            ReadDescription {
                name: "env.A",
                row: "type",
                field: "variables.a",
            },
            ReadDescription {
                name: "env.SHELL",
                row: "type",
                field: "shells[1].program",
            },
        ],
        secrets: &[
            ReadDescription {
                name: "BASH_KEY",
                row: "type",
                field: "type",
            },
        ],
    },
    graph: Some(&GRAPH),
    rows: &[
        RowDescription {
            id: "type",
            plugin: Some("bash"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<dsh_bash::Bash>(),
                digest: 0xddb2_18e1_509e_b3a7,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/base.yml",
            patched: &[],
        },
        RowDescription {
            id: "tools",
            plugin: Some("tools"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_tools::Tools>(),
                digest: 0x24d9_c135_e7cd_86c5,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/base.yml",
            patched: &[],
        },
        RowDescription {
            id: "guard",
            plugin: Some("guard"),
            carried: Some(Carried {
                plugin: PluginDescription::configured::<dsh_guard::Guard>(),
                digest: 0x7877_4a12_26b3_4427,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/bundles/base.yml",
            patched: &[],
        },
        RowDescription {
            id: "subprocess-local",
            plugin: Some("subprocess-local"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<
                    dsh_subprocess_local::SubprocessLocal,
                >(),
                digest: 0x285d_dab0_e67d_1137,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/small/profile.yml",
            patched: &[],
        },
        RowDescription {
            id: "server",
            plugin: Some("server"),
            carried: Some(Carried {
                plugin: PluginDescription::plain::<dsh_server::Server>(),
                digest: 0x142b_08d9_d662_0ad6,
                groups: &[],
                off_when: None,
            }),
            inserted: "profiles/small/profile.yml",
            patched: &[],
        },
    ],
    services: &[
        ServiceDescription {
            key: "invariants",
            id: "dsh-runtime::Invariants",
            providers: &[],
            consumers: &["type"],
        },
        ServiceDescription {
            key: "subprocess",
            id: "dsh-subprocess::Subprocess",
            providers: &["subprocess-local"],
            consumers: &["type"],
        },
        ServiceDescription {
            key: "tools",
            id: "dsh-tools::Tools",
            providers: &["tools"],
            consumers: &[],
        },
    ],
    events: &[
        EventDescription {
            name: "tools/post-execute",
            id: "dsh-tools::PostExecute",
            mode: "emit",
            dispatchers: &["tools"],
            listeners: &[],
        },
        EventDescription {
            name: "tools/pre-execute",
            id: "dsh-tools::PreExecute",
            mode: "serial",
            dispatchers: &["tools"],
            listeners: &["guard", "type"],
        },
    ],
    tools,
    prompt,
    hosts: &[],
    components: include_str!("components.txt"),
    notices: include_str!("notices.txt"),
    cargo_profile: option_env!("DSH_CARGO_PROFILE"),
};

fn tools(eval: &mut Evaluator, on: &dyn Fn(&str) -> bool) -> Vec<ToolDescription> {
    [
        if on("type") {
            dsh_tools::Tools::describe::<dsh_bash::Bash>("type", &type_2_config(eval))
        } else {
            Vec::new()
        },
    ]
        .concat()
}

fn prompt(_eval: &mut Evaluator, _on: &dyn Fn(&str) -> bool) -> Vec<PromptDescription> {
    Vec::new()
}
