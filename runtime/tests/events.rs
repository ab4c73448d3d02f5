//! Dispatch in the four modes: who hears, in which order, and what a failure does.
#![allow(missing_docs)]

use std::sync::{Arc, Mutex};

use dsh_runtime::event::{around, observer, participant};
use dsh_runtime::{
    BoxFuture, EffectStack, Event, Flow, InvariantError, ListenerError, MountError, Next, NoConfig, NoInject, PluginContext, Position,
    Scope, ScopeId, Surroundings, Topic, event, mount, plugin,
};

pub struct Line {
    text: String,
    scope: Option<ScopeId>,
    heard: Mutex<Vec<String>>,
}

impl Line {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), scope: None, heard: Mutex::default() }
    }

    fn hear(&self, by: &str) {
        self.heard.lock().unwrap().push(by.to_owned());
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

fn scope_of(line: &Line) -> Option<ScopeId> {
    line.scope
}

#[event(name = "line/read", mode = emit, payload = Line, scope = scope_of)]
pub struct LineRead;

#[event(name = "line/open", mode = emit, payload = Line, failure = veto)]
pub struct LineOpen;

#[event(name = "line/flush", mode = parallel, payload = Line)]
pub struct LineFlush;

#[event(name = "line/stop", mode = serial, payload = Line)]
pub struct LineStop;

#[event(name = "line/change", mode = waterfall, payload = Line, out = String)]
pub struct LineChange;

#[event(name = "line/retry", mode = waterfall, payload = u32, out = Result<u32, u32>, repeatable)]
pub struct LineRetry;

/// Hears every event with a method of the shape that its mode asks for.
struct Listener {
    name: String,
}

#[plugin]
impl Listener {
    async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self { name: cx.row_id().to_owned() })
    }

    #[on(LineRead)]
    fn read(&self, line: &Line) {
        line.hear(&self.name);
    }

    #[on(LineOpen)]
    fn open(&self, line: &Line) -> Result<(), ListenerError> {
        line.hear(&self.name);
        Ok(())
    }

    #[on(LineFlush)]
    async fn flush(&self, line: &Line) -> Result<(), ListenerError> {
        tokio::task::yield_now().await;
        line.hear(&self.name);
        Ok(())
    }

    #[on(LineStop, first)]
    async fn stop(self: &Arc<Self>, line: &Line) -> Result<(), ListenerError> {
        line.hear(&self.name);
        Ok(())
    }

    #[on(LineChange)]
    async fn change(&self, line: &mut Line, next: Next<'_, LineChange>) -> Flow<LineChange> {
        line.text.push_str(&self.name);
        let flow = next.run(line).await;
        line.hear(flow.get());
        let name = self.name.clone();
        flow.map(|out| format!("{name}({out})"))
    }
}

fn effects() -> EffectStack {
    EffectStack::new("test")
}

async fn mounted(row: usize, id: &str) -> dsh_runtime::Mounted<Listener> {
    let cx = PluginContext::new(id, row, Surroundings::of_process());
    mount(cx, NoConfig {}, NoInject {}).await.unwrap_or_else(|error| panic!("{error}"))
}

/// Adds an observer that notes its name and then does `then`.
fn observe<E>(topic: &Topic<E>, key: (Position, usize), name: &'static str, then: fn() -> Result<(), ListenerError>, effects: &EffectStack)
where
    E: dsh_runtime::EmitEvent + Event<Payload = Line>,
{
    let listener = observer::<E, _>(move |line| {
        line.hear(name);
        then()
    });
    topic.listen(key, None, listener, effects);
}

fn fails() -> Result<(), ListenerError> {
    Err(ListenerError::new("no"))
}

fn breaks() -> Result<(), ListenerError> {
    Err(InvariantError::new("dsh-test", "two of one name").into())
}

fn panics() -> Result<(), ListenerError> {
    panic!("on purpose")
}

#[test]
fn listeners_run_by_position_then_row_then_registration() {
    let (topic, effects) = (Topic::<LineRead>::new(), effects());
    let keys = [
        ((Position::Last, 0), "last 0"),
        ((Position::Row, 7), "row 7"),
        ((Position::Row, 2), "row 2"),
        ((Position::First, 9), "first 9"),
        ((Position::Row, 2), "row 2 again"),
        ((Position::First, 1), "first 1"),
    ];
    for (key, name) in keys {
        observe(&topic, key, name, || Ok(()), &effects);
    }
    let line = Line::new("a");
    topic.dispatcher().emit(&line).unwrap();
    assert_eq!(line.heard(), ["first 1", "first 9", "row 2", "row 2 again", "row 7", "last 0"]);
}

#[tokio::test]
async fn attached_plugins_hear_in_row_order_until_they_are_torn_down() {
    let (read, open, flush, stop, change) = (Topic::new(), Topic::new(), Topic::new(), Topic::new(), Topic::new());
    let plugins = [mounted(2, "c").await, mounted(0, "a").await, mounted(1, "b").await];
    for plugin in &plugins {
        read.attach::<Listener>(plugin);
        open.attach::<Listener>(plugin);
        flush.attach::<Listener>(plugin);
        stop.attach::<Listener>(plugin);
        change.attach::<Listener>(plugin);
    }
    let line = Line::new("");
    LineRead::dispatch(&read, &line);
    Topic::<LineOpen>::dispatcher(&open).emit(&line).unwrap();
    assert_eq!(Topic::<LineFlush>::dispatcher(&flush).parallel(&line).await.unwrap(), 3);
    Topic::<LineStop>::dispatcher(&stop).serial(&line).await.unwrap();
    assert_eq!(line.heard(), ["a", "b", "c"].repeat(4));

    let mut line = Line::new("");
    let out = Topic::<LineChange>::dispatcher(&change).waterfall(&mut line, &base).await;
    assert_eq!((out.as_str(), line.text.as_str()), ("a(b(c(base abc)))", "abc"));
    assert_eq!(line.heard(), ["base abc", "c(base abc)", "b(c(base abc))"]);

    plugins[2].context().effects().unwind().await;
    let line = Line::new("");
    LineRead::dispatch(&read, &line);
    assert_eq!(line.heard(), ["a", "c"]);
}

impl LineRead {
    fn dispatch(topic: &Topic<Self>, line: &Line) {
        topic.dispatcher().emit(line).unwrap();
    }
}

fn base(line: &mut Line) -> BoxFuture<'_, String> {
    Box::pin(async move { format!("base {}", line.text) })
}

#[test]
fn a_scoped_listener_hears_its_own_agent_alone() {
    let topic = Topic::<LineRead>::new();
    let (one, two) = (Scope::open("one"), Scope::open("two"));
    for (scope, name) in [(None, "all"), (Some(&one), "one"), (Some(&two), "two")] {
        let listener = observer::<LineRead, _>(move |line| line.hear(name));
        let shared = effects();
        let effects = scope.map_or(&shared, Scope::effects);
        topic.listen((Position::Row, 0), scope.map(Scope::id), listener, effects);
    }
    let hear = |scope: Option<ScopeId>| {
        let line = Line { scope, ..Line::new("x") };
        topic.dispatcher().emit(&line).unwrap();
        line.heard()
    };
    assert_eq!(hear(Some(one.id())), ["all", "one"]);
    assert_eq!(hear(Some(two.id())), ["all", "two"]);
    assert_eq!(hear(None), ["all"], "a payload that concerns no agent");
}

#[tokio::test]
async fn one_listener_in_two_scopes_is_undone_in_one() {
    let topic = Topic::<LineRead>::new();
    let (one, two) = (Scope::open("one"), Scope::open("two"));
    let listener = observer::<LineRead, _>(|line| line.hear("shared"));
    for scope in [&one, &two] {
        topic.listen((Position::Row, 0), Some(scope.id()), Arc::clone(&listener), scope.effects());
    }
    one.effects().unwind().await;
    let line = Line { scope: Some(two.id()), ..Line::new("x") };
    topic.dispatcher().emit(&line).unwrap();
    assert_eq!(line.heard(), ["shared"]);
}

#[test]
fn a_contained_failure_or_panic_does_not_stop_the_others() {
    let (topic, effects) = (Topic::<LineRead>::new(), effects());
    for (row, (name, then)) in [("fails", fails as fn() -> _), ("panics", panics), ("fine", || Ok(()))].into_iter().enumerate() {
        observe(&topic, (Position::Row, row), name, then, &effects);
    }
    let line = Line::new("x");
    topic.dispatcher().emit(&line).unwrap();
    assert_eq!(line.heard(), ["fails", "panics", "fine"]);
}

#[test]
fn a_broken_invariant_reaches_the_dispatcher_after_all_have_run() {
    let (topic, effects) = (Topic::<LineRead>::new(), effects());
    for (row, (name, then)) in [("breaks", breaks as fn() -> _), ("fails", fails), ("fine", || Ok(()))].into_iter().enumerate() {
        observe(&topic, (Position::Row, row), name, then, &effects);
    }
    let line = Line::new("x");
    let error = topic.dispatcher().emit(&line).unwrap_err();
    assert!(matches!(&error, ListenerError::Invariant(broken) if broken.package == "dsh-test"), "{error}");
    assert_eq!(error.to_string(), "dsh-test: two of one name");
    assert_eq!(line.heard(), ["breaks", "fails", "fine"]);
}

#[test]
fn a_veto_stops_the_dispatch_and_reaches_the_dispatcher() {
    for (then, words) in [(fails as fn() -> _, "no"), (panics, "the listener panicked")] {
        let (topic, effects) = (Topic::<LineOpen>::new(), effects());
        observe(&topic, (Position::Row, 0), "before", || Ok(()), &effects);
        observe(&topic, (Position::Row, 1), "veto", then, &effects);
        observe(&topic, (Position::Row, 2), "after", || Ok(()), &effects);
        let line = Line::new("x");
        assert_eq!(topic.dispatcher().emit(&line).unwrap_err().to_string(), words);
        assert_eq!(line.heard(), ["before", "veto"]);
    }
}

#[test]
fn a_listener_added_during_a_dispatch_hears_the_next_one() {
    let topic = Arc::new(Topic::<LineRead>::new());
    let (adds, shared) = (Arc::clone(&topic), Arc::new(effects()));
    let late = Arc::clone(&shared);
    let listener = observer::<LineRead, _>(move |line| {
        line.hear("adds");
        observe(&adds, (Position::Row, 1), "late", || Ok(()), &late);
    });
    topic.listen((Position::Row, 0), None, listener, &shared);
    let line = Line::new("x");
    topic.dispatcher().emit(&line).unwrap();
    assert_eq!(line.heard(), ["adds"]);
    topic.dispatcher().emit(&line).unwrap();
    assert_eq!(line.heard(), ["adds", "adds", "late"]);
}

type Step = (&'static str, fn() -> Result<(), ListenerError>);

fn joins<E>(topic: &Topic<E>, steps: &[Step], effects: &EffectStack)
where
    E: dsh_runtime::event::AwaitedEvent + Event<Payload = Line>,
{
    for (row, (name, then)) in steps.iter().copied().enumerate() {
        let listener = participant::<E>(move |line| {
            Box::pin(async move {
                // The later the row, the sooner it is done.
                for _ in row..3 {
                    tokio::task::yield_now().await;
                }
                line.hear(name);
                then()
            })
        });
        topic.listen((Position::Row, row), None, listener, effects);
    }
}

#[tokio::test]
async fn parallel_runs_all_at_once_and_reports_the_first_failure_by_order() {
    let (topic, effects) = (Topic::<LineFlush>::new(), effects());
    joins(&topic, &[("fine", || Ok(())), ("fails", fails), ("panics", panics)], &effects);
    let line = Line::new("x");
    let error = topic.dispatcher().parallel(&line).await.unwrap_err();
    assert_eq!(error.to_string(), "no");
    assert_eq!(line.heard(), ["panics", "fails", "fine"]);
    assert_eq!(Topic::<LineFlush>::new().dispatcher().parallel(&line).await.unwrap(), 0);
}

#[tokio::test]
async fn serial_runs_in_order_and_ends_with_the_first_failure() {
    for (then, words) in [(fails as fn() -> _, "no"), (panics, "the listener panicked")] {
        let (topic, effects) = (Topic::<LineStop>::new(), effects());
        joins(&topic, &[("first", || Ok(())), ("second", then), ("third", || Ok(()))], &effects);
        let line = Line::new("x");
        assert_eq!(topic.dispatcher().serial(&line).await.unwrap_err().to_string(), words);
        assert_eq!(line.heard(), ["first", "second"]);
    }
}

#[tokio::test]
async fn a_waterfall_listener_may_decide_without_the_rest() {
    let (topic, effects) = (Topic::<LineChange>::new(), effects());
    let decides = around::<LineChange, _>("decided", |out, line, next| {
        Box::pin(async move {
            line.hear("decides");
            next.decide((*out).to_owned())
        })
    });
    topic.listen((Position::First, 0), None, decides, &effects);
    let plugin = mounted(0, "a").await;
    topic.attach(&plugin);
    let mut line = Line::new("");
    assert_eq!(topic.dispatcher().waterfall(&mut line, &base).await, "decided");
    assert_eq!((line.heard(), line.text.as_str()), (vec!["decides".to_owned()], ""));
    let alone = Topic::<LineChange>::new().dispatcher().waterfall(&mut line, &base).await;
    assert_eq!(alone, "base ", "without listeners the base runs");
}

/// A listener may also be a type of its own.
struct Retries;

impl dsh_runtime::event::Around<LineRetry> for Retries {
    fn call<'a>(&'a self, tries: &'a mut u32, next: Next<'a, LineRetry>) -> BoxFuture<'a, Flow<LineRetry>> {
        Box::pin(async move {
            loop {
                let flow = next.again().run(tries).await;
                if flow.get().is_ok() || *tries >= 5 {
                    return flow;
                }
            }
        })
    }
}

fn attempt(tries: &mut u32) -> BoxFuture<'_, Result<u32, u32>> {
    *tries += 1;
    Box::pin(async move { if *tries < 3 { Err(*tries) } else { Ok(*tries) } })
}

#[tokio::test]
async fn a_repeatable_waterfall_runs_the_rest_again() {
    let (topic, effects) = (Topic::<LineRetry>::new(), effects());
    topic.listen((Position::Row, 0), None, Arc::new(Retries), &effects);
    let mut tries = 0;
    assert_eq!(topic.dispatcher().waterfall(&mut tries, &attempt).await, Ok(3));
    assert_eq!(tries, 3);
}
