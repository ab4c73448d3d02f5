//! The driver with everything that it drives, mounted by hand with all runtime checks on; only the model and the store of
//! sessions are made up.

mod listeners;
mod recorder;
mod requests;
mod stored;
mod tools;
mod topics;
mod transcript;

pub use recorder::Recorder;
pub use stored::Store;
pub use tools::{Gate, calls, concluding, concurrent, deferring, echo, gated, gated_each, note};
pub use topics::Topics;

use std::sync::Arc;
use std::time::Duration;

use dsh_agent::{Agent, AgentFailure, AgentOptions, Agents, CreateAgent, ResumeAgent};
use dsh_agent_loop::AgentLoop;
use dsh_invariants::InvariantRegistry;
use dsh_llm::Llm;
use dsh_message::{ContentBlock, Message, MessageId, MessageSource};
use dsh_runtime::boot::{Boot, BootError};
use dsh_runtime::{BoxFuture, CancellationToken, Event, Invariants, NoConfig, NoInject, PluginContext, Position, Topic};
use dsh_session::{NewSession, SessionEvent, SessionStore};
use dsh_session_persistence::SessionPersistence;
use dsh_system_prompt::SystemPrompt;
use dsh_testkit::{Harness, Reply, ScriptedModel};
use dsh_tools::{ToolBody, ToolSpec, Tools};

pub struct World {
    harness: Harness,
    /// The row that a test registers things with.
    pub row: PluginContext,
    pub topics: Topics,
    pub recorder: Arc<Recorder>,
    pub store: Arc<Store>,
    pub model: Arc<ScriptedModel>,
    pub agents: Arc<Agents>,
    pub sessions: Arc<SessionStore>,
    pub prompt: Arc<SystemPrompt>,
    pub tools: Arc<Tools>,
}

/// What a world may lack or have otherwise.
pub struct Setup {
    pub model: Arc<ScriptedModel>,
    pub max_parallel_tool_calls: usize,
    pub persistence: bool,
}

impl Setup {
    pub fn new(model: Arc<ScriptedModel>) -> Self {
        Self { model, max_parallel_tool_calls: 10, persistence: true }
    }
}

impl World {
    /// A world whose model gives these replies.
    pub async fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with(Setup::new(ScriptedModel::new(replies))).await
    }

    pub async fn with(Setup { model, max_parallel_tool_calls, persistence }: Setup) -> Self {
        let mut harness = Harness::new();
        let topics = Topics::default();
        let on = dsh_invariants::Config { enabled: true, package_allowlist: Vec::new(), package_blocklist: Vec::new() };
        let invariants: Arc<dyn Invariants> = harness.mount::<InvariantRegistry>("invariants", on, NoInject {}).await.plugin();
        let checks = || Some(Arc::clone(&invariants));
        let sessions = harness.mount::<SessionStore>("session", NoConfig {}, topics.session_inject(checks())).await.plugin();
        let bare = dsh_system_prompt::Config {
            include_harness_identity: false,
            include_runtime_context: true,
            persona: String::new(),
            tool_order: None,
        };
        let prompt = harness.mount::<SystemPrompt>("system-prompt", bare, topics.prompt_inject()).await.plugin();
        let llm = harness.mount::<Llm>("llm", NoConfig {}, topics.llm_inject(checks())).await.plugin();
        llm.register(Arc::clone(&model) as _, harness.context("model").await.effects()).unwrap();
        let tools = harness.mount::<Tools>("tools", NoConfig {}, topics.tools_inject(checks(), &prompt)).await.plugin();
        let agents = harness.mount::<Agents>("agent", NoConfig {}, topics.agents_inject(checks())).await.plugin();
        let store = Arc::new(Store::default());
        let inject = dsh_agent_loop::Inject {
            agents: Arc::clone(&agents),
            sessions: Arc::clone(&sessions),
            llm,
            tools: Arc::clone(&tools),
            system_prompt: Arc::clone(&prompt),
            persistence: persistence.then(|| Arc::clone(&store) as Arc<dyn SessionPersistence>),
            invariants: checks(),
            inserted: topics.agent.inserted.dispatcher(),
            claimed: topics.agent.claimed.dispatcher(),
            discarded: topics.agent.discarded.dispatcher(),
            status: topics.agent.status.dispatcher(),
            session_start: topics.agent.session_start.dispatcher(),
            pre_step: topics.agent.pre_step.dispatcher(),
            request: topics.agent.request.dispatcher(),
            request_error: topics.agent.request_error.dispatcher(),
            turn_stopping: topics.agent.turn_stopping.dispatcher(),
            error: topics.agent.error.dispatcher(),
            stream: topics.llm.stream.dispatcher(),
        };
        harness.mount::<AgentLoop>("agent-loop", dsh_agent_loop::Config { max_parallel_tool_calls }, inject).await;
        let recorder = Recorder::listening(&topics, harness.context("recorder").await.effects());
        let row = harness.context("test").await;
        Self { harness, row, topics, recorder, store, model, agents, sessions, prompt, tools }
    }

    /// Adds a listener of the whole binary.
    pub fn on<E: Event>(&self, topic: &Topic<E>, listener: Arc<E::Listener>) {
        topic.listen((Position::Row, self.row.row()), None, listener, self.row.effects());
    }

    /// Registers a tool of the whole binary.
    pub fn tool(&self, spec: ToolSpec, body: Arc<dyn ToolBody>) {
        self.tools.register(None, spec, body, self.row.effects()).unwrap();
    }

    /// Offers a preset.
    pub fn offer<G>(&mut self, name: &'static str, given: G, mount: for<'a> fn(&'a mut Boot, G) -> BoxFuture<'a, Result<(), BootError>>)
    where
        G: Clone + Send + Sync + 'static,
    {
        self.harness.offer(name, given, mount);
    }

    /// A new agent that asks the scripted model `m`.
    pub async fn agent(&self, id: &str) -> Arc<dyn Agent> {
        self.create(create(id)).await.unwrap_or_else(|error| panic!("{error}"))
    }

    pub async fn create(&self, request: CreateAgent) -> Result<Arc<dyn Agent>, AgentFailure> {
        self.agents.create(request).await
    }

    /// Takes a session up from the store.
    pub async fn resume(&self, id: &str) -> Result<Arc<dyn Agent>, AgentFailure> {
        let request = ResumeAgent { session_id: id.into(), options: scripted(), signal: CancellationToken::new() };
        self.agents.resume(request).await
    }

    /// Waits until an agent is idle.
    pub async fn idle(&self, agent: &Arc<dyn Agent>) {
        let settled = tokio::time::timeout(Duration::from_secs(10), agent.when_idle()).await;
        assert!(settled.is_ok(), "`{}` works for ever:\n{}", agent.id(), self.recorder.transcript("s").join("\n"));
    }

    /// Gives an agent a prompt and waits until it is idle.
    pub async fn prompt(&self, agent: &Arc<dyn Agent>, id: &str, text: &str) {
        agent.followup(user(id, text)).unwrap();
        self.idle(agent).await;
    }

    /// Compares the whole log of the session `s`.
    pub fn check_log(&self, expected: &str) {
        check("the log", &self.recorder.transcript("s"), expected);
    }

    /// Compares the log of the session `s` from its last turn on.
    pub fn check_last_turn(&self, expected: &str) {
        let log = self.recorder.transcript("s");
        let start = log.iter().rposition(|line| line.starts_with("turn/start")).unwrap_or_default();
        check("the last turn", &log[start..], expected);
    }

    /// The calls and results of the session `s`, in order.
    pub fn calls(&self) -> Vec<String> {
        self.recorder.transcript("s").into_iter().filter(|line| line.starts_with("tool/")).collect()
    }

    /// The log of the session `s` after its first reply.
    pub fn after_the_reply(&self) -> Vec<String> {
        let log = self.recorder.transcript("s");
        let reply = log.iter().position(|line| line.starts_with("assistant/message")).expect("a reply");
        log[reply + 1..].to_vec()
    }

    /// The last event of the session `s`.
    pub fn last(&self) -> String {
        self.recorder.transcript("s").pop().unwrap_or_default()
    }

    /// The failures that were announced.
    pub fn errors(&self) -> Vec<String> {
        self.recorder.live().into_iter().filter(|line| line.starts_with("agent/error")).collect()
    }

    /// Compares the live events.
    pub fn check_live(&self, expected: &str) {
        check("the live events", &self.recorder.live(), expected);
    }

    /// Compares what the model was asked.
    pub fn check_requests(&self, expected: &str) {
        let requests: Vec<String> = self.model.calls().iter().map(requests::line).collect();
        check("the requests", &requests, expected);
    }

    /// Takes everything down, agents first.
    pub async fn teardown(self) {
        self.harness.teardown().await;
    }
}

/// Compares lines whole; blank lines and indentation of the expected text do not count.
pub fn check(what: &str, actual: &[String], expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert!(actual == expected, "{what} is otherwise\n--- expected\n{}\n--- actual\n{}\n", expected.join("\n"), actual.join("\n"));
}

/// A message of a person.
pub fn user(id: &str, text: &str) -> Arc<Message> {
    Arc::new(Message::user(MessageId::from(id), vec![ContentBlock::text(text)], MessageSource::User))
}

/// Options for the scripted model `m`.
pub fn scripted() -> AgentOptions {
    AgentOptions { provider: Some(ScriptedModel::PROVIDER.to_owned()), model: Some("m".to_owned()), ..AgentOptions::default() }
}

/// A request for a new agent that asks the scripted model.
pub fn create(id: &str) -> CreateAgent {
    CreateAgent { session_id: id.into(), session: NewSession::default(), seed: None, options: scripted(), signal: CancellationToken::new() }
}

/// The same with a log to begin with.
pub fn seeded(id: &str, seed: Vec<SessionEvent>) -> CreateAgent {
    CreateAgent { seed: Some(seed), ..create(id) }
}
