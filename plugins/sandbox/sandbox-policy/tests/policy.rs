//! Which policy holds for a session, and what its model is told.

mod idle_agent;

use std::path::PathBuf;
use std::sync::Arc;

use dsh_runtime::{Dispatcher, Environment, NoConfig, PluginContext, Surroundings, Topic, mount};
use dsh_sandbox_policy::{Config, Inject, ModeSource, Policy, SandboxMode, SandboxModeSet, SandboxPolicy, SessionSandboxPolicy};
use dsh_session::{NewSession, Session, SessionCreated, SessionDisposed, SessionEvent, SessionEventAppended, SessionStore};
use dsh_system_prompt::{AssembleContext, SystemPrompt, render};

use crate::idle_agent::IdleAgent;

struct World {
    store: Arc<SessionStore>,
    policy: Arc<SessionSandboxPolicy>,
    prompt: Arc<SystemPrompt>,
}

fn context(row: &str) -> PluginContext {
    let environment = Arc::new(Environment::of([("TMPDIR", "/var/scratch")], "/start"));
    PluginContext::new(row, 0, Surroundings { environment, ..Surroundings::of_process() })
}

impl World {
    async fn new(mode: SandboxMode, workspace_root: Option<&str>) -> Self {
        let (created, disposed, appended) =
            (Topic::<SessionCreated>::new(), Topic::<SessionDisposed>::new(), Topic::<SessionEventAppended>::new());
        let inject = dsh_session::Inject {
            invariants: None,
            created: created.dispatcher(),
            disposed: disposed.dispatcher(),
            committing: Dispatcher::detached(),
            appended: appended.dispatcher(),
            flush: Dispatcher::detached(),
        };
        let store = mount::<SessionStore>(context("sessions"), NoConfig {}, inject).await.unwrap().plugin();
        let inject = dsh_system_prompt::Inject { assemble: Dispatcher::detached(), change: Dispatcher::detached() };
        let config = dsh_system_prompt::Config {
            include_harness_identity: false,
            include_runtime_context: true,
            persona: String::new(),
            tool_order: None,
        };
        let prompt = mount::<SystemPrompt>(context("system-prompt"), config, inject).await.unwrap().plugin();
        let config = Config { mode, workspace_root: workspace_root.map(PathBuf::from) };
        let inject = Inject { sessions: Arc::clone(&store), system_prompt: Some(Arc::clone(&prompt)) };
        let policy = mount::<SessionSandboxPolicy>(context("sandbox-policy"), config, inject).await.unwrap();
        created.attach(&policy);
        disposed.attach(&policy);
        appended.attach(&policy);
        Self { store, policy: policy.plugin(), prompt }
    }

    fn open(&self, id: &str, cwd: Option<&str>, seed: Option<Vec<SessionEvent>>) -> Arc<Session> {
        let new = NewSession { cwd: cwd.map(str::to_owned), ..NewSession::default() };
        let session = self.store.prepare(id.into(), new, seed).unwrap();
        self.store.enter(&session).unwrap();
        self.store.announce(&session).unwrap();
        session
    }

    fn mode(&self, session: &Session) -> SandboxMode {
        self.policy.policy_for(session).mode
    }

    async fn told(&self, context: AssembleContext) -> Vec<(String, String)> {
        render(&self.prompt.assemble(context).await.unwrap()).unwrap().contexts
    }
}

fn set(session: &Arc<Session>, mode: SandboxMode) -> Arc<SessionEvent> {
    session.append(&SandboxModeSet { mode, source: None }).unwrap()
}

#[tokio::test]
async fn the_config_gives_the_fallbacks() {
    let world = World::new(SandboxMode::WorkspaceWrite, Some("ws")).await;
    let expected =
        Policy { mode: SandboxMode::WorkspaceWrite, workspace_root: "/start/ws".into(), session_id: None, temp_dir: "/var/scratch".into() };
    assert_eq!(world.policy.default_policy(), expected);
    assert_eq!(expected.workspace_roots(), ["/start/ws", "/tmp", "/var/scratch"].map(PathBuf::from));
    let homeless = world.open("homeless", None, None);
    let policy = world.policy.policy_for(&homeless);
    assert_eq!((policy.session_id, policy.workspace_root), (Some("homeless".into()), "/start/ws".into()));
    let housed = world.open("housed", Some("/tmp"), None);
    assert_eq!(world.policy.policy_for(&housed).workspace_roots(), ["/tmp", "/var/scratch"].map(PathBuf::from));
}

#[tokio::test]
async fn the_last_switch_in_the_log_wins_also_after_a_resume() {
    let world = World::new(SandboxMode::ReadOnly, None).await;
    let session = world.open("s", None, None);
    assert_eq!(world.mode(&session), SandboxMode::ReadOnly);
    let first = set(&session, SandboxMode::WorkspaceWrite);
    let second = set(&session, SandboxMode::DangerFullAccess);
    assert_eq!(world.mode(&session), SandboxMode::DangerFullAccess);
    let other = world.open("other", None, None);
    assert_eq!(world.mode(&other), SandboxMode::ReadOnly);
    let seed = vec![SessionEvent::clone(&first), SessionEvent::clone(&second)];
    let resumed = world.open("resumed", None, Some(seed));
    assert_eq!(world.mode(&resumed), SandboxMode::DangerFullAccess);
    world.store.detach(&session);
    assert_eq!(world.mode(&session), SandboxMode::ReadOnly);
}

#[tokio::test]
async fn a_switch_before_the_publication_counts() {
    let world = World::new(SandboxMode::ReadOnly, None).await;
    let session = world.store.prepare("s".into(), NewSession::default(), None).unwrap();
    set(&session, SandboxMode::WorkspaceWrite);
    world.store.enter(&session).unwrap();
    world.store.announce(&session).unwrap();
    assert_eq!(world.mode(&session), SandboxMode::WorkspaceWrite);
}

#[tokio::test]
async fn a_mode_that_cannot_be_read_allows_nothing() {
    let world = World::new(SandboxMode::DangerFullAccess, None).await;
    let event: SessionEvent = serde_json::from_str(r#"{"type":"sandbox/mode","seq":0,"time":1,"data":{"mode":"everything"}}"#).unwrap();
    let session = world.open("s", None, Some(vec![event]));
    assert_eq!(world.mode(&session), SandboxMode::ReadOnly);
}

#[tokio::test]
async fn a_model_is_told_the_mode_of_its_session() {
    let world = World::new(SandboxMode::ReadOnly, None).await;
    assert_eq!(world.told(AssembleContext::default()).await, []);
    let session = world.open("s", None, None);
    set(&session, SandboxMode::WorkspaceWrite);
    let told = world.told(AssembleContext { agent: Some(IdleAgent::of(session)), scope: None }).await;
    let [(name, text)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(name, "sandbox:policy");
    assert!(text.contains("workspace-write"), "{text}");
}

#[test]
fn the_record_has_the_form_of_the_log() {
    let set = SandboxModeSet { mode: SandboxMode::DangerFullAccess, source: Some(ModeSource::Delegation) };
    assert_eq!(serde_json::to_string(&set).unwrap(), r#"{"mode":"danger-full-access","source":"delegation"}"#);
    let read: SandboxModeSet = serde_json::from_str(r#"{"mode":"read-only"}"#).unwrap();
    assert_eq!(read, SandboxModeSet { mode: SandboxMode::ReadOnly, source: None });
}
