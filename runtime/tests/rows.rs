//! Rows that may be off: conditions, groups, and what an overlay at start says of them.

use std::sync::Arc;

use dsh_runtime::boot::{Boot, BootError, Graph, GraphGroup, GraphRow, RowOverride, Rows};
use dsh_runtime::{
    CancellationToken, Environment, Exit, ManualClock, MountError, Mounted, NoConfig, NoInject, PluginContext, Process, SequentialIds,
    Site, Surroundings, Timestamp, plugin,
};

/// Two shells of which a condition chooses one, a tool that needs one, and a group with a row that nobody needs.
static GRAPH: Graph = Graph {
    profile: "small",
    groups: &[GraphGroup::new("extras").off_when("env.BARE is defined", "base.yml"), GraphGroup::new("inner").within(0)],
    rows: &[
        GraphRow::new("local").off_when("env.SANDBOX is defined", "base.yml"),
        GraphRow::new("sandbox").off_when("env.SANDBOX is not defined", "base.yml"),
        GraphRow::new("tool").requires(&[("shell", &[0, 1])]),
        GraphRow::new("audit").within(1).off_when("env.AUDIT | bool", "mine.yml"),
    ],
    exclusives: &[("the service `shell`", &[0, 1])],
};

struct Plain;

#[plugin]
impl Plain {
    async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}

fn boot(variables: &[(&str, &str)], overrides: &[(&str, bool, &str)]) -> Boot {
    let surroundings = Surroundings {
        clock: Arc::new(ManualClock::at(Timestamp(1_000))),
        ids: Arc::new(SequentialIds::default()),
        environment: Arc::new(Environment::of(variables.iter().copied(), "/srv")),
        shutdown: CancellationToken::new(),
        process: Process::default(),
    };
    let mut boot = Boot::new("small", surroundings);
    let given = |(id, disabled, place): &(&str, bool, &str)| RowOverride { id: (*id).into(), disabled: *disabled, place: (*place).into() };
    boot.override_rows(overrides.iter().map(given));
    boot
}

/// Ids of the rows that are on.
fn on(variables: &[(&str, &str)], overrides: &[(&str, bool, &str)]) -> Result<Vec<&'static str>, BootError> {
    let ids = |rows: &Rows| (0..GRAPH.rows.len()).filter(|row| rows.is_on(*row)).map(|row| GRAPH.rows[row].switch.id).collect();
    boot(variables, overrides).resolve(&GRAPH, |_, rows| ids(rows))
}

fn refusal(variables: &[(&str, &str)], overrides: &[(&str, bool, &str)]) -> String {
    let error = on(variables, overrides).unwrap_err();
    assert_eq!(error.exit(), Exit::ENVIRONMENT);
    error.to_string()
}

#[test]
fn conditions_of_rows_and_of_the_groups_around_them_decide() {
    let audited = ("AUDIT", "false");
    assert_eq!(on(&[audited], &[]).unwrap(), ["local", "tool", "audit"]);
    assert_eq!(on(&[audited, ("SANDBOX", "1")], &[]).unwrap(), ["sandbox", "tool", "audit"]);
    assert_eq!(on(&[("AUDIT", "1")], &[]).unwrap(), ["local", "tool"]);
    // Inside of what is off nothing is evaluated: `AUDIT` is not set.
    assert_eq!(on(&[("BARE", "1")], &[]).unwrap(), ["local", "tool"]);
}

#[test]
fn a_condition_that_gives_no_boolean_names_row_field_file_and_variable() {
    assert_eq!(
        refusal(&[], &[]),
        "the configuration cannot be used:\n  row `audit`, field `disabled` (mine.yml#audit): expression `env.AUDIT | bool`: gives no value, \
         expected `true` or `false` (`AUDIT` is not set)"
    );
    assert!(refusal(&[("AUDIT", "maybe")], &[]).contains("`env.AUDIT | bool`"));
}

#[test]
fn problems_of_conditions_and_configs_are_told_together_and_configs_of_rows_that_are_off_are_not_made() {
    let configs = |variables: &[(&str, &str)]| {
        boot(variables, &[]).resolve(&GRAPH, |eval, rows| {
            let site = |row| Site { row, field: "root", file: "base.yml" };
            let local = rows.is_on(0).then(|| eval.get::<String>(site("local"), "env.LOCAL_ROOT"));
            let audit = rows.is_on(3).then(|| eval.get::<String>(site("audit"), "env.AUDIT_ROOT"));
            (local, audit)
        })
    };
    let error = configs(&[]).unwrap_err().to_string();
    assert!(error.contains("row `audit`, field `disabled`") && error.contains("row `local`, field `root`"), "{error}");
    // Whether it is on is not known, so its config says nothing.
    assert!(!error.contains("row `audit`, field `root`"), "{error}");
    assert_eq!(configs(&[("SANDBOX", "1"), ("BARE", "1")]).unwrap(), (None, None));
}

#[test]
fn an_overlay_switches_rows_and_groups_as_long_as_the_graph_holds() {
    let variables = [("AUDIT", "false")];
    let place = "my.yml:3:5";
    assert_eq!(on(&variables, &[("tool", true, place)]).unwrap(), ["local", "audit"]);
    assert_eq!(on(&variables, &[("extras", true, place)]).unwrap(), ["local", "tool"]);
    // The overlay is asked in place of the condition, which could not be evaluated here.
    assert_eq!(on(&[], &[("audit", false, place)]).unwrap(), ["local", "tool", "audit"]);
    assert_eq!(on(&variables, &[("local", true, place), ("sandbox", false, place)]).unwrap(), ["sandbox", "tool", "audit"]);
    // The later entry holds.
    assert_eq!(on(&variables, &[("tool", true, place), ("tool", false, place)]).unwrap(), ["local", "tool", "audit"]);
}

#[test]
fn an_entry_that_breaks_the_graph_is_refused_before_anything_mounts() {
    let variables = [("AUDIT", "false")];
    let command = "to have it built, or be told in full what it lacks: `dsh-build --profile small --patch my.yml`";
    assert_eq!(
        refusal(&variables, &[("local", true, "my.yml:3:5")]),
        format!(
            "the configuration cannot be used:\n  row `local`, field `disabled` (my.yml:3:5): row `tool` needs the service `shell` of row \
             `local` or `sandbox`, which is off\n    `disabled: true` cannot be honoured at start; {command}"
        )
    );
    assert_eq!(
        refusal(&variables, &[("sandbox", false, "my.yml:7:5")]),
        format!(
            "the configuration cannot be used:\n  row `sandbox`, field `disabled` (my.yml:7:5): rows `local` and `sandbox` are on, and only \
             one may have the service `shell`\n    `disabled: false` cannot be honoured at start; {command}"
        )
    );
    let error = refusal(&variables, &[("nowhere", true, "my.yml:1:3"), ("local", true, "my.yml:3:5")]);
    assert!(error.contains("this binary has no row `nowhere`") && error.contains("row `tool` needs"), "{error}");
}

#[tokio::test]
async fn a_row_that_is_off_does_not_mount_and_attaches_nothing() {
    let mut boot = boot(&[("BARE", "1")], &[]);
    boot.resolve(&GRAPH, |_, _| ()).unwrap();
    let given = || Some((NoConfig {}, NoInject {}));
    let local: Option<Mounted<Plain>> = boot.mount_if_on(0, "local", given).await.unwrap_or_else(|error| panic!("{error}"));
    let audit: Option<Mounted<Plain>> = boot.mount_if_on(3, "audit", given).await.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((local.map(|row| row.context().row_id().to_owned()), audit.is_some()), (Some("local".to_owned()), false));
    assert_eq!(boot.teardown().await.failed, Vec::<String>::new());
}
