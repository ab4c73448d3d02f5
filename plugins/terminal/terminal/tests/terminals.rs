//! Who may do what with which session.

mod fake_backend;

use std::str::FromStr;
use std::sync::Arc;

use dsh_agent::{Agent, Agents};
use dsh_runtime::{CancellationToken, Dispatcher, Mounted, NoConfig};
use dsh_subprocess::Signal;
use dsh_terminal::{Closed, Dialogue, Inject, OpenRequest, SendRequest, TerminalError, TerminalId, Terminals};
use dsh_testkit::{Harness, TestAgent};
use fake_backend::FakeBackend;

struct World {
    harness: Harness,
    terminals: Arc<Terminals>,
    backend: Arc<FakeBackend>,
}

impl World {
    async fn new() -> Self {
        let mut harness = Harness::new();
        let mounted: Mounted<Terminals> = harness.mount("pty", NoConfig {}, Inject { agents: None }).await;
        let (terminals, backend) = (mounted.plugin(), Arc::new(FakeBackend::default()));
        let row = harness.context("backend").await;
        terminals.register_backend(&row, "fake", backend.clone()).expect("the type is free");
        Self { harness, terminals, backend }
    }

    async fn agent(&mut self) -> Arc<dyn Agent> {
        let folder = self.harness.folder().to_owned();
        TestAgent::new(&mut self.harness, folder).await
    }

    async fn open(&self, agent: &Arc<dyn Agent>) -> TerminalId {
        self.terminals.open(agent, request("fake", None)).await.expect("it opens").id
    }
}

fn request(backend: &str, name: Option<&str>) -> OpenRequest {
    OpenRequest { backend: backend.to_owned(), name: name.map(str::to_owned), cwd: None, dialogue: Dialogue::Interactive }
}

fn text(text: &str) -> SendRequest {
    SendRequest { text: text.to_owned(), submit: true }
}

fn code<T>(result: Result<T, TerminalError>) -> &'static str {
    result.err().and_then(|error| error.code()).expect("it fails with a code")
}

#[tokio::test]
async fn sessions_are_numbered_named_and_listed() {
    let mut world = World::new().await;
    let (one, other) = (world.agent().await, world.agent().await);
    let opened = world.terminals.open(&one, request("fake", Some("main"))).await.expect("it opens");
    assert_eq!((opened.id.to_string().as_str(), opened.startup.as_str()), ("pty-1", "ready"));
    assert_eq!(code(world.terminals.open(&one, request("fake", Some("main"))).await), "DUPLICATE_NAME");
    world.terminals.open(&other, request("fake", Some("main"))).await.expect("a name is one agent's own");
    world.terminals.open(&one, request("fake", None)).await.expect("it opens");
    let listed: Vec<_> = world.terminals.list(&one).into_iter().map(|entry| (entry.id.to_string(), entry.name, entry.backend)).collect();
    let fake = || "fake".to_owned();
    assert_eq!(listed, [("pty-1".to_owned(), Some("main".to_owned()), fake()), ("pty-3".to_owned(), None, fake())]);
    assert!(world.terminals.has_sessions(&one));
    world.harness.teardown().await;
}

#[tokio::test]
async fn ids_are_read_as_they_are_written() {
    for text in ["pty-01", "pty-", "pty-+1", "1", "pty-1 ", "PTY-1"] {
        assert_eq!(code(TerminalId::from_str(text)), "NO_SESSION", "{text}");
    }
    assert_eq!(TerminalId::from_str("pty-12").expect("it is one").to_string(), "pty-12");
}

#[tokio::test]
async fn a_session_is_its_owners_alone() {
    let mut world = World::new().await;
    let (owner, stranger) = (world.agent().await, world.agent().await);
    let id = world.open(&owner).await;
    let terminals = &world.terminals;
    assert_eq!(code(terminals.read(&stranger, id, 0, 1)), "FOREIGN_SESSION");
    assert_eq!(code(terminals.signal(&stranger, id, Signal::INTERRUPT)), "FOREIGN_SESSION");
    assert_eq!(code(terminals.attach(&stranger, id)), "FOREIGN_SESSION");
    assert_eq!(code(terminals.close(&stranger, id).await), "FOREIGN_SESSION");
    assert_eq!(code(terminals.send(&stranger, id, text("x"), CancellationToken::new()).await), "FOREIGN_SESSION");
    let missing = TerminalId::from_str("pty-99").expect("an id");
    assert_eq!(code(terminals.read(&owner, missing, 0, 1)), "NO_SESSION");
    assert!(terminals.list(&stranger).is_empty() && !terminals.has_sessions(&stranger));
    world.harness.teardown().await;
}

#[tokio::test]
async fn one_send_at_a_time() {
    let mut world = World::new().await;
    let agent = world.agent().await;
    let id = world.open(&agent).await;
    let first = world.terminals.send(&agent, id, text("wait"), CancellationToken::new());
    tokio::pin!(first);
    assert!(futures_util::poll!(&mut first).is_pending());
    assert_eq!(code(world.terminals.send(&agent, id, text("x"), CancellationToken::new()).await), "SEND_ACTIVE");
    assert_eq!(code(world.terminals.attach(&agent, id)), "SEND_ACTIVE");
    world.terminals.read(&agent, id, 0, 1).expect("reading is always possible");
    world.backend.go_on();
    assert_eq!(first.await.expect("it settles").viewport, "wait");
    let attached = world.terminals.attach(&agent, id).expect("it is free again");
    assert_eq!(code(world.terminals.send(&agent, id, text("x"), CancellationToken::new()).await), "SEND_ACTIVE");
    drop(attached);
    world.backend.go_on();
    world.terminals.send(&agent, id, text("x"), CancellationToken::new()).await.expect("it is free again");
    world.harness.teardown().await;
}

#[tokio::test]
async fn closing_twice_at_once_is_told() {
    let mut world = World::new().await;
    let agent = world.agent().await;
    let id = world.open(&agent).await;
    let first = world.terminals.close(&agent, id);
    tokio::pin!(first);
    assert!(futures_util::poll!(&mut first).is_pending());
    assert_eq!(world.terminals.close(&agent, id).await.expect("no failure"), Closed::AlreadyClosing);
    assert_eq!(first.await.expect("it closes"), Closed::Now);
    assert_eq!(code(world.terminals.close(&agent, id).await), "NO_SESSION");
    assert_eq!(world.backend.closed(), 1);
    world.harness.teardown().await;
}

#[tokio::test]
async fn sessions_end_with_their_owner_also_while_they_open() {
    let mut world = World::new().await;
    let agent = world.agent().await;
    world.open(&agent).await;
    world.backend.open_slowly();
    let late = world.terminals.open(&agent, request("fake", None));
    tokio::pin!(late);
    assert!(futures_util::poll!(&mut late).is_pending());
    assert!(world.terminals.has_sessions(&agent));
    agent.dispose().await;
    assert_eq!(world.backend.closed(), 1);
    world.backend.go_on();
    assert_eq!(code(late.await), "OWNER_NOT_LIVE");
    assert_eq!(world.backend.closed(), 2);
    assert!(!world.terminals.has_sessions(&agent));
    world.harness.teardown().await;
}

#[tokio::test]
async fn an_agent_that_is_not_registered_opens_nothing() {
    let mut harness = Harness::new();
    let detached = dsh_agent::Inject {
        invariants: None,
        created: Dispatcher::detached(),
        disposed: Dispatcher::detached(),
        status: Dispatcher::detached(),
    };
    let agents = harness.mount::<Agents>("agents", NoConfig {}, detached).await.plugin();
    let inject = Inject { agents: Some(Arc::clone(&agents)) };
    let terminals = harness.mount::<Terminals>("pty", NoConfig {}, inject).await.plugin();
    let row = harness.context("backend").await;
    terminals.register_backend(&row, "fake", Arc::new(FakeBackend::default())).expect("the type is free");
    let folder = harness.folder().to_owned();
    let agent: Arc<dyn Agent> = TestAgent::new(&mut harness, folder).await;
    assert_eq!(code(terminals.open(&agent, request("fake", None)).await), "OWNER_NOT_LIVE");
    agents.enter(&agent).expect("it is entered");
    terminals.open(&agent, request("fake", None)).await.expect("it opens");
    agents.detach(&agent);
    assert_eq!(code(terminals.open(&agent, request("fake", None)).await), "OWNER_NOT_LIVE");
    harness.teardown().await;
}

#[tokio::test]
async fn a_dropped_opening_leaves_nothing_on_record() {
    let mut world = World::new().await;
    let agent = world.agent().await;
    world.backend.open_slowly();
    {
        let opening = world.terminals.open(&agent, request("fake", Some("main")));
        tokio::pin!(opening);
        assert!(futures_util::poll!(&mut opening).is_pending());
    }
    assert!(!world.terminals.has_sessions(&agent));
    world.backend.go_on();
    world.terminals.open(&agent, request("fake", Some("main"))).await.expect("the name is free");
    world.harness.teardown().await;
}

#[tokio::test]
async fn backends_are_known_by_their_type_and_leave_with_their_row() {
    let mut world = World::new().await;
    let row = world.harness.context("second").await;
    assert_eq!(code(world.terminals.register_backend(&row, "fake", Arc::new(FakeBackend::default()))), "DUPLICATE_BACKEND");
    let second = Arc::new(FakeBackend::default());
    world.terminals.register_backend(&row, "second", second.clone()).expect("the type is free");
    let agent = world.agent().await;
    let unknown = world.terminals.open(&agent, request("third", None)).await.expect_err("there is none");
    assert_eq!(unknown.to_string(), "unknown terminal type `third`; known types: fake, second");
    world.terminals.open(&agent, request("second", None)).await.expect("it opens");
    row.effects().unwind().await;
    assert_eq!((second.closed(), world.backend.closed()), (1, 0));
    assert_eq!(code(world.terminals.open(&agent, request("second", None)).await), "NO_BACKEND");
    world.harness.teardown().await;
}

#[tokio::test]
async fn nothing_opens_after_teardown() {
    let mut world = World::new().await;
    let agent = world.agent().await;
    let World { harness, terminals, .. } = world;
    harness.teardown().await;
    assert_eq!(code(terminals.open(&agent, request("fake", None)).await), "SERVICE_DISPOSING");
}
