//! A driver with a scripted model and the plugin, with all runtime checks on.

mod adapter;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dsh_agent::{Agent, AgentOptions, AgentRequestError, Agents, CreateAgent, RequestError, RequestErrorAction};
use dsh_agent_loop::AgentLoop;
use dsh_llm::Llm;
use dsh_llm_retry::{LlmRetries, LlmRetry, LlmRetryStarted};
use dsh_message::{ContentBlock, LlmFailure, Message, MessageSource, RetryPolicy};
use dsh_runtime::event::around;
use dsh_runtime::{CancellationToken, Dispatcher, ListenerError, NoConfig, PluginContext, Position, Topic};
use dsh_session::catalogue::AssistantChunk;
use dsh_session::{Appended, EventData, NewSession, SessionEvent};
use dsh_testkit::{EveryInvariant, Harness, Reply, ScriptedModel, tool_body, tool_spec};
use dsh_tools::ToolOutput;

use adapter::Adapter;

pub struct World {
    harness: Harness,
    /// The plugin's row.
    pub retry: PluginContext,
    pub request_error: Topic<AgentRequestError>,
    pub model: Arc<Adapter>,
    agents: Arc<Agents>,
    log: Arc<Mutex<Vec<Arc<SessionEvent>>>>,
}

impl World {
    /// A world whose model gives these replies and has this policy.
    pub async fn new(policy: RetryPolicy, replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with(Adapter::new([policy], replies)).await
    }

    /// A world whose model's policy changes with each call.
    pub async fn with_policies<const N: usize>(policies: [RetryPolicy; N], replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with(Adapter::new(policies, replies)).await
    }

    async fn with(model: Arc<Adapter>) -> Self {
        let mut harness = Harness::new();
        let sessions = harness.sessions().await;
        let tooling = harness.tooling().await;
        let row = harness.context("test").await;
        let inject = dsh_llm::Inject {
            invariants: Some(Arc::new(EveryInvariant)),
            stream: Dispatcher::detached(),
            adapters_updated: Dispatcher::detached(),
        };
        let llm = harness.mount::<Llm>("llm", NoConfig {}, inject).await.plugin();
        llm.register(Arc::clone(&model) as _, row.effects()).unwrap();
        let inject = dsh_agent::Inject {
            invariants: Some(Arc::new(EveryInvariant)),
            created: Dispatcher::detached(),
            disposed: Dispatcher::detached(),
            status: Dispatcher::detached(),
        };
        let agents = harness.mount::<Agents>("agent", NoConfig {}, inject).await.plugin();
        let request_error = Topic::<AgentRequestError>::new();
        let inject = dsh_agent_loop::Inject {
            agents: Arc::clone(&agents),
            sessions: Arc::clone(&sessions.store),
            llm,
            tools: Arc::clone(&tooling.tools),
            system_prompt: Arc::clone(&tooling.prompt),
            persistence: None,
            invariants: Some(Arc::new(EveryInvariant)),
            inserted: Dispatcher::detached(),
            claimed: Dispatcher::detached(),
            discarded: Dispatcher::detached(),
            status: Dispatcher::detached(),
            session_start: Dispatcher::detached(),
            pre_step: Dispatcher::detached(),
            request: Dispatcher::detached(),
            request_error: request_error.dispatcher(),
            turn_stopping: Dispatcher::detached(),
            error: Dispatcher::detached(),
            stream: Dispatcher::detached(),
        };
        harness.mount::<AgentLoop>("agent-loop", dsh_agent_loop::Config { max_parallel_tool_calls: 1 }, inject).await;
        let inject = dsh_llm_retry::Inject {
            invariants: Some(Arc::new(EveryInvariant)),
            committing: sessions.topics.committing.dispatcher(),
            disposed: sessions.topics.disposed.dispatcher(),
        };
        let retry = harness.mount::<LlmRetries>("llm-retry", NoConfig {}, inject).await;
        request_error.attach(&retry);
        sessions.topics.disposed.attach(&retry);
        let log = Arc::<Mutex<Vec<Arc<SessionEvent>>>>::default();
        let heard = Arc::clone(&log);
        let record = move |Appended { event, .. }: &Appended| {
            heard.lock().unwrap().push(Arc::clone(event));
            Ok(())
        };
        sessions.topics.appended.listen((Position::First, 0), None, Arc::new(record), row.effects());
        let echo = tool_body(|_args, _call| Box::pin(async { Ok(ToolOutput::text("ok")) }));
        tooling.tools.register(None, tool_spec("echo"), echo, row.effects()).unwrap();
        Self { harness, retry: retry.context().clone(), request_error, model, agents, log }
    }

    /// Adds a listener of failed calls behind the plugin.
    pub async fn downstream<F>(&mut self, decide: F)
    where
        F: Fn(&RequestError) -> Result<RequestErrorAction, ListenerError> + Send + Sync + 'static,
    {
        let row = self.harness.context("downstream").await;
        let listener = around::<AgentRequestError, F>(decide, |decide: &F, failed: &mut RequestError, next| {
            Box::pin(async move { next.decide(decide(failed)) })
        });
        self.request_error.listen((Position::Row, row.row()), None, listener, row.effects());
    }

    /// A new agent that asks the provider.
    pub async fn agent(&self, provider: &str) -> Arc<dyn Agent> {
        let options = AgentOptions { provider: Some(provider.to_owned()), model: Some("m".to_owned()), ..AgentOptions::default() };
        let signal = CancellationToken::new();
        let request = CreateAgent { session_id: "s".into(), session: NewSession::default(), seed: None, options, signal };
        self.agents.create(request).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs a turn of a new agent to its end. Yields the time that it took.
    pub async fn turn(&self) -> Duration {
        let agent = self.agent(ScriptedModel::PROVIDER).await;
        self.prompt(&agent).await
    }

    /// Runs a turn to its end. Yields the time that it took.
    pub async fn prompt(&self, agent: &Arc<dyn Agent>) -> Duration {
        let start = tokio::time::Instant::now();
        agent.followup(prompt()).unwrap();
        self.idle(agent).await;
        start.elapsed()
    }

    /// Waits until an agent is idle.
    pub async fn idle(&self, agent: &Arc<dyn Agent>) {
        let settled = tokio::time::timeout(Duration::from_secs(86_400), agent.when_idle()).await;
        assert!(settled.is_ok(), "the agent works for ever:\n{}", self.lines().join("\n"));
    }

    /// The log from the first attempt on: types, and the failures and ends in words. Chunks that follow each other are one line.
    pub fn lines(&self) -> Vec<String> {
        let log = self.log.lock().unwrap();
        let mut lines: Vec<String> = Vec::new();
        for event in log.iter().skip_while(|event| !event.is::<AssistantChunk>()) {
            let line = line(event);
            if line != "assistant/chunk" || lines.last().is_none_or(|last| *last != line) {
                lines.push(line);
            }
        }
        lines
    }

    /// The log itself, which outlives the world.
    pub fn log(&self) -> Arc<Mutex<Vec<Arc<SessionEvent>>>> {
        Arc::clone(&self.log)
    }

    /// All events of a type.
    pub fn all<T: EventData>(&self) -> Vec<T> {
        self.log.lock().unwrap().iter().filter_map(|event| event.data()).collect()
    }

    /// The data of the events of a type as they stand in the log.
    pub fn raw<T: EventData>(&self) -> Vec<String> {
        self.log.lock().unwrap().iter().filter(|event| event.is::<T>()).map(|event| event.data.get().to_owned()).collect()
    }

    pub fn check(&self, expected: &str) {
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let lines = self.lines();
        assert!(lines == expected, "the log is otherwise\n--- expected\n{}\n--- actual\n{}\n", expected.join("\n"), lines.join("\n"));
    }

    pub async fn teardown(self) {
        self.harness.teardown().await;
    }
}

fn line(event: &SessionEvent) -> String {
    if let Some(LlmRetry { turn, step, retry, delay_ms, failure, .. }) = event.data() {
        return format!("llm/retry {turn}.{step} {retry} {delay_ms} {}", failure.code);
    }
    if let Some(LlmRetryStarted { turn, step, retry, .. }) = event.data() {
        return format!("llm/retry-started {turn}.{step} {retry}");
    }
    match &*event.kind {
        "turn/end" | "step/start" | "step/end" => format!("{} {}", event.kind, event.data.get()),
        kind => kind.to_owned(),
    }
}

/// A message of a person.
pub fn prompt() -> Arc<Message> {
    Arc::new(Message::user("m1".into(), vec![ContentBlock::text("go")], MessageSource::User))
}

/// The usual policy without a random part.
pub fn steady() -> RetryPolicy {
    RetryPolicy { jitter: 0.0, ..RetryPolicy::default() }
}

/// The same without a maximum.
pub fn without_end() -> RetryPolicy {
    RetryPolicy { max_retries: None, ..steady() }
}

/// A reply that fails.
pub fn fails(code: &str) -> Reply {
    Reply::failure(LlmFailure::new(code, "no luck"))
}

/// A reply that fails with a pause that the provider asks for.
pub fn asks_for(pause_ms: u64) -> Reply {
    Reply::failure(LlmFailure { provider_retry_after_ms: Some(pause_ms), ..LlmFailure::new("RATE_LIMIT", "slow down") })
}
