//! An agent with everything that drives it, mounted by hand with all runtime checks on. Only the model is made up.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dsh_agent::{Agent, AgentOptions, AgentPreStep, Agents, CreateAgent, PreStep, PreStepDecision};
use dsh_agent_loop::AgentLoop;
use dsh_llm::{Llm, LlmStream};
use dsh_message::{ContentBlock, Message, MessageId, MessageSource};
use dsh_runtime::event::{around, observer};
use dsh_runtime::{CancellationToken, Dispatcher, NoConfig, PluginContext, Position, Topic};
use dsh_session::catalogue::{TurnEnd, TurnEndReason};
use dsh_session::{Appended, NewSession, SessionEvent, SessionEventAppended};
use dsh_testkit::{EveryInvariant, Harness, Reply, ScriptedModel, Tooling};

pub struct World {
    harness: Harness,
    /// The row that a test registers things with.
    pub row: PluginContext,
    pub tooling: Arc<Tooling>,
    pub llm: Arc<Llm>,
    pub model: Arc<ScriptedModel>,
    agents: Arc<Agents>,
    pre_step: Topic<AgentPreStep>,
    log: Arc<Mutex<Vec<Arc<SessionEvent>>>>,
}

impl World {
    /// A world whose model gives these replies.
    pub async fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with_model(ScriptedModel::new(replies)).await
    }

    pub async fn with_model(model: Arc<ScriptedModel>) -> Self {
        let mut harness = Harness::new();
        let row = harness.context("test").await;
        let sessions = harness.sessions().await;
        let tooling = harness.tooling().await;
        let stream = Topic::<LlmStream>::new();
        let checks = || Some(Arc::new(EveryInvariant) as _);
        let inject = dsh_llm::Inject { invariants: checks(), stream: stream.dispatcher(), adapters_updated: Dispatcher::detached() };
        let llm = harness.mount::<Llm>("llm", NoConfig {}, inject).await.plugin();
        llm.register(Arc::clone(&model) as _, row.effects()).unwrap();
        let inject = dsh_agent::Inject {
            invariants: checks(),
            created: Dispatcher::detached(),
            disposed: Dispatcher::detached(),
            status: Dispatcher::detached(),
        };
        let agents = harness.mount::<Agents>("agent", NoConfig {}, inject).await.plugin();
        let pre_step = Topic::new();
        let inject = dsh_agent_loop::Inject {
            agents: Arc::clone(&agents),
            sessions: Arc::clone(&sessions.store),
            llm: Arc::clone(&llm),
            tools: Arc::clone(&tooling.tools),
            system_prompt: Arc::clone(&tooling.prompt),
            persistence: None,
            invariants: checks(),
            inserted: Dispatcher::detached(),
            claimed: Dispatcher::detached(),
            discarded: Dispatcher::detached(),
            status: Dispatcher::detached(),
            session_start: Dispatcher::detached(),
            pre_step: pre_step.dispatcher(),
            request: Dispatcher::detached(),
            request_error: Dispatcher::detached(),
            turn_stopping: Dispatcher::detached(),
            error: Dispatcher::detached(),
            stream: stream.dispatcher(),
        };
        harness.mount::<AgentLoop>("agent-loop", dsh_agent_loop::Config { max_parallel_tool_calls: 10 }, inject).await;
        let log: Arc<Mutex<Vec<Arc<SessionEvent>>>> = Arc::default();
        let heard = Arc::clone(&log);
        let keep = move |Appended { event, .. }: &Appended| lock(&heard).push(Arc::clone(event));
        sessions.topics.appended.listen((Position::First, 0), None, observer::<SessionEventAppended, _>(keep), row.effects());
        Self { harness, row, tooling, llm, model, agents, pre_step, log }
    }

    /// A new agent that asks the scripted model.
    pub async fn agent(&self) -> Arc<dyn Agent> {
        let provider = Some(ScriptedModel::PROVIDER.to_owned());
        let request = CreateAgent {
            session_id: "s".into(),
            session: NewSession::default(),
            seed: None,
            options: AgentOptions { provider, model: Some("m".to_owned()), ..AgentOptions::default() },
            signal: CancellationToken::new(),
        };
        self.agents.create(request).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Waits until an agent has nothing left to do.
    pub async fn idle(&self, agent: &Arc<dyn Agent>) {
        let settled = tokio::time::timeout(Duration::from_secs(10), agent.when_idle()).await;
        assert!(settled.is_ok(), "the agent works for ever: {:?}", self.boundaries());
    }

    /// Gives an agent a prompt and waits for what comes of it.
    pub async fn prompt(&self, agent: &Arc<dyn Agent>, text: &str) {
        agent.followup(user("prompt", text)).unwrap();
        self.idle(agent).await;
    }

    /// Decides about proposed steps; `None` delegates.
    pub fn on_pre_step<F>(&self, decide: F)
    where
        F: Fn(&PreStep) -> Option<PreStepDecision> + Send + Sync + 'static,
    {
        let listener = around::<AgentPreStep, F>(decide, |decide: &F, proposed, next| match decide(proposed) {
            Some(decision) => Box::pin(async move { next.decide(Ok(decision)) }),
            None => next.run(proposed),
        });
        self.pre_step.listen((Position::Row, self.row.row()), None, listener, self.row.effects());
    }

    /// The log so far.
    pub fn log(&self) -> Vec<Arc<SessionEvent>> {
        lock(&self.log).clone()
    }

    /// The boundaries of turns and steps in the log.
    pub fn boundaries(&self) -> Vec<String> {
        let kinds = self.log().into_iter().map(|event| event.kind.to_string());
        kinds.filter(|kind| kind.starts_with("turn/") || kind.starts_with("step/")).collect()
    }

    /// Why each turn ended.
    pub fn endings(&self) -> Vec<TurnEndReason> {
        self.log().iter().filter_map(|event| event.data::<TurnEnd>()).map(|end| end.reason).collect()
    }

    /// Takes everything down.
    pub async fn teardown(self) {
        self.harness.teardown().await;
    }
}

/// A message of a person.
pub fn user(id: &str, text: &str) -> Arc<Message> {
    Arc::new(Message::user(MessageId::from(id), vec![ContentBlock::text(text)], MessageSource::User))
}

pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
