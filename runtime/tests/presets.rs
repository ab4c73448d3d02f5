//! Presets: mounted once when first selected, into a layer of their own, and undone with the composition.

use std::sync::{Arc, Mutex};

use dsh_runtime::boot::{Boot, BootError};
use dsh_runtime::{
    BoxFuture, CancellationToken, EffectStack, Environment, Layered, ManualClock, MountError, Mounted, NoConfig, NoInject, PluginContext,
    Presets, Process, Scope, ScopeId, SequentialIds, Surroundings, Timestamp, Topic, event, plugin,
};

/// Something is said in a scope.
#[event(name = "test/said", mode = emit, payload = Said, scope = said_in)]
struct Line;

struct Said {
    scope: Option<ScopeId>,
    heard: Mutex<Vec<String>>,
}

fn said_in(said: &Said) -> Option<ScopeId> {
    said.scope
}

/// What happened, in order.
type Journal = Arc<Mutex<Vec<String>>>;

static REFUSALS: Mutex<usize> = Mutex::new(0);

struct Listening {
    id: String,
}

#[plugin]
impl Listening {
    async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        if cx.row_id().ends_with("refuses-once") {
            let mut refusals = REFUSALS.lock().unwrap();
            *refusals += 1;
            if *refusals == 1 {
                return Err(MountError::new("not yet"));
            }
        }
        if cx.row_id().ends_with("hangs") {
            std::future::pending::<()>().await;
        }
        Ok(Self { id: cx.row_id().to_owned() })
    }

    #[on(Line)]
    fn hear(&self, said: &Said) {
        said.heard.lock().unwrap().push(self.id.clone());
    }
}

#[derive(Clone)]
struct Given {
    topic: Topic<Line>,
    journal: Journal,
    ids: &'static [&'static str],
}

fn mount(boot: &mut Boot, given: Given) -> BoxFuture<'_, Result<(), BootError>> {
    Box::pin(async move {
        for (at, id) in given.ids.iter().enumerate() {
            given.journal.lock().unwrap().push(format!("{id} mounts"));
            let row: Mounted<Listening> = boot.mount(10 + at, id, NoConfig {}, NoInject {}).await?;
            let journal = Arc::clone(&given.journal);
            row.context().effects().push_sync(move || journal.lock().unwrap().push(format!("{id} is undone")));
            given.topic.attach(&row);
        }
        Ok(())
    })
}

struct World {
    boot: Boot,
    presets: Presets,
    topic: Topic<Line>,
    journal: Journal,
}

async fn world(offered: &[(&'static str, &'static [&'static str])]) -> World {
    let surroundings = Surroundings {
        clock: Arc::new(ManualClock::at(Timestamp(1_000))),
        ids: Arc::new(SequentialIds::default()),
        environment: Arc::new(Environment::of([] as [(&str, &str); 0], "/srv")),
        shutdown: CancellationToken::new(),
        process: Process::default(),
    };
    let (mut boot, topic, journal) = (Boot::new("test", surroundings), Topic::new(), Journal::default());
    let shared: Mounted<Listening> = boot.mount(0, "shared", NoConfig {}, NoInject {}).await.unwrap_or_else(|error| panic!("{error}"));
    topic.attach(&shared);
    for (name, ids) in offered {
        boot.offer(name, Given { topic: topic.clone(), journal: Arc::clone(&journal), ids }, mount);
    }
    World { boot, presets: shared.context().presets().clone(), topic, journal }
}

impl World {
    fn heard(&self, scope: Option<&Scope>) -> Vec<String> {
        let said = Said { scope: scope.map(Scope::id), heard: Mutex::default() };
        self.topic.dispatcher().emit(&said).unwrap();
        said.heard.into_inner().unwrap()
    }

    fn journal(&self) -> Vec<String> {
        std::mem::take(&mut *self.journal.lock().unwrap())
    }
}

#[tokio::test]
async fn a_preset_mounts_once_when_first_selected_and_only_those_who_joined_hear_of_it() {
    let world = world(&[("code", &["code/one", "code/two"]), ("plain", &["plain/one"])]).await;
    assert_eq!(world.presets.names(), ["code", "plain"]);
    assert_eq!(world.journal(), Vec::<String>::new(), "nothing mounts before it is selected");
    let (first, second) = tokio::join!(world.presets.select("code"), world.presets.select("code"));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!((first.name(), first == second), ("code", true));
    assert_eq!(world.journal(), ["code/one mounts", "code/two mounts"]);
    let (joined, alone) = (Scope::open_in(Some(first), "joined"), Scope::open("alone"));
    // Whoever starts a child hands its own preset on.
    let child = Scope::open_in(joined.preset(), "child");
    assert_eq!(world.heard(Some(&joined)), ["shared", "code/one", "code/two"]);
    assert_eq!(world.heard(Some(&child)), ["shared", "code/one", "code/two"]);
    assert_eq!(world.heard(Some(&alone)), ["shared"]);
    assert_eq!(world.heard(None), ["shared"]);
    assert_eq!(world.boot.teardown().await.failed, Vec::<String>::new());
    assert_eq!(world.journal(), ["code/two is undone", "code/one is undone"]);
    assert_eq!(world.heard(Some(&joined)), Vec::<String>::new(), "nothing is left");
    let error = world.presets.select("plain").await.unwrap_err();
    assert_eq!(error.to_string(), "preset \"plain\" was not started: the process is ending");
}

#[tokio::test]
async fn an_unknown_preset_is_answered_with_those_that_there_are() {
    let some = world(&[("code", &[]), ("plain", &[])]).await;
    assert_eq!(some.presets.select("cod").await.unwrap_err().to_string(), "there is no preset \"cod\"; there are code, plain");
    let none = world(&[]).await;
    assert_eq!(none.presets.select("cod").await.unwrap_err().to_string(), "there is no preset \"cod\"; this composition has no presets");
}

#[tokio::test]
async fn a_preset_that_does_not_mount_is_undone_and_can_be_selected_again() {
    let world = world(&[("code", &["code/one", "code/refuses-once"])]).await;
    let error = world.presets.select("code").await.unwrap_err();
    assert_eq!(error.to_string(), "preset \"code\" did not start: row `code/refuses-once` (plugin `runtime`) did not start: not yet");
    assert_eq!(world.journal(), ["code/one mounts", "code/refuses-once mounts", "code/one is undone"]);
    assert_eq!(world.heard(None), ["shared"]);
    let code = world.presets.select("code").await.unwrap();
    assert_eq!(world.heard(Some(&Scope::open_in(Some(code), "joined"))), ["shared", "code/one", "code/refuses-once"]);
    world.boot.teardown().await;
}

#[tokio::test]
async fn whoever_gives_up_waiting_does_not_stop_the_mounting_and_teardown_does() {
    let world = world(&[("code", &["code/one", "code/hangs"])]).await;
    tokio::select! {
        biased;
        _ = world.presets.select("code") => panic!("it hangs"),
        () = tokio::task::yield_now() => {}
    }
    while world.journal.lock().unwrap().len() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(world.boot.teardown().await.failed, Vec::<String>::new());
    assert_eq!(world.journal(), ["code/one mounts", "code/hangs mounts", "code/one is undone"]);
}

#[tokio::test]
async fn what_a_preset_registers_stands_between_an_agents_own_and_the_shared() {
    let world = world(&[("code", &[])]).await;
    let code = world.presets.select("code").await.unwrap();
    let (joined, alone) = (Scope::open_in(Some(code), "joined"), Scope::open("alone"));
    let (layered, row) = (Layered::<&str>::default(), EffectStack::new("row"));
    for (scope, name, value) in [
        (None, "a", "shared a"),
        (None, "b", "shared b"),
        (Some(code.scope()), "b", "preset b"),
        (Some(code.scope()), "c", "preset c"),
        (Some(joined.id()), "c", "own c"),
    ] {
        layered.insert(scope, name, value, &row).unwrap();
    }
    let view = |scope: Option<ScopeId>| layered.view(scope).into_iter().map(|(_, value)| *value).collect::<Vec<_>>();
    assert_eq!(view(Some(joined.id())), ["shared a", "preset b", "own c"]);
    assert_eq!(view(Some(alone.id())), ["shared a", "shared b"]);
    assert_eq!(view(Some(code.scope())), ["shared a", "preset b", "preset c"]);
    let get = |scope: &Scope, name: &str| layered.get(Some(scope.id()), name).map(|value| *value);
    assert_eq!((get(&joined, "b"), get(&joined, "c"), get(&alone, "c")), (Some("preset b"), Some("own c"), None));
    row.unwind().await;
    assert!(layered.is_empty());
    world.boot.teardown().await;
}
