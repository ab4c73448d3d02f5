//! Boot and teardown: mounting by row, unwinding of a failed mount, stopping work before anything is undone, reverse order.
#![allow(missing_docs)]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dsh_runtime::boot::{Boot, BootError, contributed};
use dsh_runtime::{
    CancellationToken, Clock, Environment, Exit, IdSource, ManualClock, MountError, NoInject, PluginContext, Process, SecretEnv,
    SequentialIds, ServeSession, Site, Surroundings, Timestamp, config, mount, plugin,
};

type Notes = Arc<Mutex<Vec<String>>>;

/// A registry that a test reads notes from, in place of a service.
#[derive(Default, Clone)]
struct Journal(Notes);

impl Journal {
    fn add(&self, note: String) {
        self.0.lock().unwrap().push(note);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[config]
pub enum Behaviour {
    Works,
    Refuses,
    Panics,
    Hangs,
}

#[config]
pub struct Config {
    pub behaviour: Behaviour,
}

#[derive(dsh_runtime::Inject)]
pub struct Inject {
    pub journal: Arc<Noted>,
}

/// The journal as a service.
#[dsh_runtime::service(key = "noted")]
pub struct Noted(Journal);

struct Row {
    serves: Exit,
}

#[plugin]
impl Row {
    async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        let (row, journal) = (cx.row_id().to_owned(), inject.journal.0.clone());
        for (stack, what) in [(cx.effects(), "first effect"), (cx.effects(), "second effect"), (cx.quiesce(), "quiesce")] {
            let (row, journal) = (row.clone(), journal.clone());
            stack.push(move || async move { journal.add(format!("{row}: {what}")) });
        }
        match config.behaviour {
            Behaviour::Works => {}
            Behaviour::Refuses => return Err(MountError::new("no folder")),
            Behaviour::Panics => panic!("on purpose"),
            Behaviour::Hangs => std::future::pending().await,
        }
        let (stop, stopped) = (CancellationToken::new(), CancellationToken::new());
        let waits = stop.clone();
        let noted = stopped.clone();
        let (owner, notes) = (row.clone(), journal.clone());
        cx.spawn(async move {
            waits.cancelled().await;
            notes.add(format!("{owner}: task ends"));
            noted.cancel();
        });
        cx.effects().push(move || async move {
            stop.cancel();
            stopped.cancelled().await;
        });
        Ok(Self { serves: Exit(7) })
    }

    #[serve]
    async fn serve(&self, _session: ServeSession) -> Exit {
        self.serves
    }
}

fn surroundings() -> Surroundings {
    Surroundings {
        clock: Arc::new(ManualClock::at(Timestamp(1_000))),
        ids: Arc::new(SequentialIds::default()),
        environment: Arc::new(Environment::of([("KEY", "hunter2"), ("EMPTY", "")], "/srv")),
        shutdown: CancellationToken::new(),
        process: Process::default(),
    }
}

fn works(journal: &Journal) -> (Config, Inject) {
    (Config { behaviour: Behaviour::Works }, Inject { journal: Arc::new(Noted(journal.clone())) })
}

#[tokio::test]
async fn teardown_stops_work_in_every_row_and_then_undoes_rows_in_reverse() {
    let (mut boot, journal) = (Boot::new("minimal", surroundings()), Journal::default());
    for (row, id) in ["a", "b"].into_iter().enumerate() {
        let (config, inject) = works(&journal);
        boot.mount::<Row>(row, id, config, inject).await.unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(boot.teardown().await.failed, Vec::<String>::new());
    let expected = [
        "b: quiesce",
        "a: quiesce",
        "b: task ends",
        "b: second effect",
        "b: first effect",
        "a: task ends",
        "a: second effect",
        "a: first effect",
    ];
    assert_eq!(journal.take(), expected);
    boot.teardown().await;
    assert_eq!(journal.take(), Vec::<String>::new(), "once");
}

#[tokio::test]
async fn a_failed_mount_undoes_what_it_recorded_and_names_row_and_plugin() {
    for (behaviour, words, exit) in
        [(Behaviour::Refuses, "no folder", Exit::ENVIRONMENT), (Behaviour::Panics, "it panicked while it mounted", Exit::BUG)]
    {
        let (mut boot, journal) = (Boot::new("minimal", surroundings()), Journal::default());
        let (_, inject) = works(&journal);
        let error = boot.mount::<Row>(0, "shell", Config { behaviour }, inject).await.err().unwrap();
        assert_eq!(error.to_string(), format!("row `shell` (plugin `runtime`) did not start: {words}"));
        assert_eq!(error.exit(), exit);
        assert_eq!(journal.take(), ["shell: quiesce", "shell: second effect", "shell: first effect"]);
    }
}

#[tokio::test]
async fn a_mount_that_is_given_up_is_undone_by_teardown() {
    let (mut boot, journal) = (Boot::new("minimal", surroundings()), Journal::default());
    let (_, inject) = works(&journal);
    tokio::select! {
        biased;
        _ = boot.mount::<Row>(0, "slow", Config { behaviour: Behaviour::Hangs }, inject) => panic!("it hangs"),
        () = std::future::ready(()) => {}
    }
    boot.teardown().await;
    assert_eq!(journal.take(), ["slow: quiesce", "slow: second effect", "slow: first effect"]);
}

struct Stubborn;

#[plugin]
impl Stubborn {
    async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        cx.spawn(std::future::pending::<()>());
        Ok(Self)
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_that_does_not_end_is_reported_and_does_not_hold_up_the_teardown() {
    let mut boot = Boot::new("minimal", surroundings());
    boot.mount::<Stubborn>(0, "stubborn", dsh_runtime::NoConfig {}, NoInject {}).await.unwrap_or_else(|error| panic!("{error}"));
    let started = tokio::time::Instant::now();
    assert_eq!(boot.teardown().await.failed, ["stubborn"]);
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn configs_are_resolved_together_before_anything_mounts() {
    let boot = Boot::new("minimal", surroundings());
    let site = |field| Site { row: "a", field, file: "p.yml" };
    let values = boot.configure(|evaluator| evaluator.get::<String>(site("x"), "profile ~ cwd"));
    assert_eq!(values.unwrap_or_else(|error| panic!("{error}")), "minimal/srv");
    let refused = boot.configure(|evaluator| {
        let first: bool = evaluator.get(site("x"), "cwd");
        let second: String = evaluator.get(site("y"), "env.NONE");
        (first, second)
    });
    let error = refused.unwrap_err();
    assert_eq!(error.exit(), Exit::ENVIRONMENT);
    assert_eq!(
        error.to_string(),
        "the configuration cannot be used:\n  row `a`, field `x` (p.yml#a): expression `cwd`: gives a string, expected `true` or `false`\n  \
         row `a`, field `y` (p.yml#a): expression `env.NONE`: gives no value, expected a string (`NONE` is not set)"
    );
}

#[tokio::test]
async fn a_refused_contribution_names_the_row_that_contributes() {
    let cx = PluginContext::new("tool-x", 3, surroundings());
    contributed(&cx, Ok(())).unwrap_or_else(|error| panic!("{error}"));
    let error = contributed(&cx, Err(MountError::new("the name is taken"))).unwrap_err();
    assert!(matches!(error, BootError::Contribute { .. }));
    assert_eq!(error.to_string(), "a contribution of row `tool-x` was refused: the name is taken");
    assert_eq!(error.exit(), Exit::BUG);
}

#[tokio::test]
async fn a_context_hands_out_time_ids_environment_and_secrets() {
    let surroundings = surroundings();
    let clock = Arc::new(ManualClock::at(Timestamp(5)));
    let cx = PluginContext::new("row", 4, Surroundings { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..surroundings });
    clock.advance(250);
    assert_eq!((cx.clock().now(), cx.clock().elapsed()), (Timestamp(255), Duration::from_millis(250)));
    clock.advance(-1_000);
    assert_eq!((cx.clock().now(), cx.clock().elapsed()), (Timestamp(-745), Duration::ZERO));
    let ids: &Arc<dyn IdSource> = cx.ids();
    assert_eq!([ids.uuid(), ids.uuid()], ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"]);
    assert_eq!((cx.row_id(), cx.row(), cx.environment().cwd().to_str()), ("row", 4, Some("/srv")));
    let secret = |name: &str| cx.secret(&SecretEnv::new(name)).map(|value| value.reveal().to_owned());
    assert_eq!((secret("KEY"), secret("EMPTY"), secret("NONE")), (Some("hunter2".to_owned()), None, None));
}

#[test]
fn the_home_of_the_harness_is_taken_from_the_first_variable_that_is_set() {
    let home = |variables: &[(&str, &str)]| Environment::of(variables.iter().copied(), "/cwd").harness_home().display().to_string();
    assert_eq!(home(&[("DSH_HOME", "/h"), ("HOME", "/u")]), "/h");
    assert_eq!(home(&[("DSH_HOME", "~/h"), ("HOME", "/u")]), "/u/h");
    assert_eq!(home(&[("DSH_HOME", " "), ("HOME", "/u")]), "/u/.dsh");
    assert_eq!(home(&[]), "/cwd/.dsh");
}

#[tokio::test]
async fn a_mounted_plugin_carries_config_and_context() {
    let journal = Journal::default();
    let (config, inject) = works(&journal);
    let cx = PluginContext::new("row", 2, surroundings());
    let mounted = mount::<Row>(cx, config.clone(), inject).await.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((mounted.config(), mounted.context().row_id()), (&config, "row"));
    assert!(Arc::ptr_eq(&mounted.plugin(), &mounted.plugin()));
    mounted.context().effects().unwind().await;
}
