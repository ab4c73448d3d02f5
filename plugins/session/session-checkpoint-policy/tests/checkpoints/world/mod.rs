//! A driver with a scripted model, one tool and the plugin, with all runtime checks on.

mod flushes;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use dsh_agent::{Agent, AgentOptions, AgentPreStep, Agents, CreateAgent, PreStep};
use dsh_agent_loop::AgentLoop;
use dsh_llm::{Llm, LlmStream};
use dsh_message::{ContentBlock, Message, MessageSource};
use dsh_runtime::event::around;
use dsh_runtime::{CancellationToken, Dispatcher, NoConfig, PluginContext, Position, Topic, WaterfallEvent};
use dsh_session::catalogue::ToolResultRecord;
use dsh_session::{Appended, EventData, NewSession, SessionEvent};
use dsh_session_checkpoint_policy::{Inject, SessionCheckpoints};
use dsh_session_persistence::SessionPersistence;
use dsh_testkit::{EveryInvariant, Harness, Reply, ScriptedModel, Tooling, tool_body, tool_spec};
use dsh_tools::{ToolOutput, ToolSpec, ToolsPostExecute};

use flushes::NoStore;
pub use flushes::Plan;

/// Events of the log, flushes, and what stands behind a checkpoint, in order.
pub type Happened = Arc<Mutex<Vec<String>>>;

pub struct World {
    harness: Harness,
    /// A row before the plugin's.
    pub row: PluginContext,
    pub tooling: Arc<Tooling>,
    pub llm: Arc<Llm>,
    pub model: Arc<ScriptedModel>,
    agents: Arc<Agents>,
    happened: Happened,
    log: Arc<Mutex<Vec<Arc<SessionEvent>>>>,
}

impl World {
    /// A world whose model gives these replies and whose flushes go as planned.
    pub async fn new(replies: impl IntoIterator<Item = Reply>, plans: impl IntoIterator<Item = (usize, Plan)>) -> Self {
        let mut harness = Harness::new();
        let happened = Happened::default();
        let sessions = harness.sessions().await;
        let tooling = harness.tooling().await;
        let row = harness.context("test").await;
        flushes::listen(&sessions, &row, &happened, plans.into_iter().collect());
        let (pre_step, stream) = (Topic::<AgentPreStep>::new(), Topic::<LlmStream>::new());
        let inject = dsh_llm::Inject {
            invariants: Some(Arc::new(EveryInvariant)),
            stream: stream.dispatcher(),
            adapters_updated: Dispatcher::detached(),
        };
        let llm = harness.mount::<Llm>("llm", NoConfig {}, inject).await.plugin();
        let model = ScriptedModel::new(replies);
        llm.register(Arc::clone(&model) as _, row.effects()).unwrap();
        let inject = dsh_agent::Inject {
            invariants: Some(Arc::new(EveryInvariant)),
            created: Dispatcher::detached(),
            disposed: Dispatcher::detached(),
            status: Dispatcher::detached(),
        };
        let agents = harness.mount::<Agents>("agent", NoConfig {}, inject).await.plugin();
        let inject = dsh_agent_loop::Inject {
            agents: Arc::clone(&agents),
            sessions: Arc::clone(&sessions.store),
            llm: Arc::clone(&llm),
            tools: Arc::clone(&tooling.tools),
            system_prompt: Arc::clone(&tooling.prompt),
            persistence: None,
            invariants: Some(Arc::new(EveryInvariant)),
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
        harness.mount::<AgentLoop>("agent-loop", dsh_agent_loop::Config { max_parallel_tool_calls: 2 }, inject).await;
        let persistence: Arc<dyn SessionPersistence> = Arc::new(NoStore);
        let inject = Inject { sessions: Arc::clone(&sessions.store), persistence };
        let checkpoints = harness.mount::<SessionCheckpoints>("session-checkpoint-policy", NoConfig {}, inject).await;
        pre_step.attach(&checkpoints);
        stream.attach(&checkpoints);
        tooling.topics.execute.attach(&checkpoints);

        let behind = harness.context("behind").await;
        note::<AgentPreStep>(&pre_step, &behind, &happened, |proposed: &PreStep| format!("later listeners of step {}", proposed.step));
        note::<LlmStream>(&stream, &behind, &happened, |_| "the model is asked".to_owned());
        note::<ToolsPostExecute>(&tooling.topics.post_execute, &behind, &happened, |_| "the result is reviewed".to_owned());
        let log = Arc::<Mutex<Vec<Arc<SessionEvent>>>>::default();
        let (heard, noted) = (Arc::clone(&log), Arc::clone(&happened));
        let record = move |Appended { event, .. }: &Appended| {
            heard.lock().unwrap().push(Arc::clone(event));
            let mut noted = noted.lock().unwrap();
            // Chunks that follow each other are one line.
            if event.kind != "assistant/chunk" || noted.last().is_none_or(|last| *last != event.kind) {
                noted.push(event.kind.to_string());
            }
            Ok(())
        };
        sessions.topics.appended.listen((Position::First, 0), None, Arc::new(record), row.effects());
        let ran = Arc::clone(&happened);
        let body = tool_body(move |_args, call| {
            ran.lock().unwrap().push(format!("the body of {} runs", call.call_id));
            Box::pin(async { Ok(ToolOutput::text("ok")) })
        });
        tooling.tools.register(None, ToolSpec { concurrent: true, ..tool_spec("echo") }, body, row.effects()).unwrap();
        Self { harness, row, tooling, llm, model, agents, happened, log }
    }

    /// A new agent, idle.
    pub async fn agent(&self) -> Arc<dyn Agent> {
        let options =
            AgentOptions { provider: Some(ScriptedModel::PROVIDER.to_owned()), model: Some("m".to_owned()), ..AgentOptions::default() };
        let signal = CancellationToken::new();
        let request = CreateAgent { session_id: "s".into(), session: NewSession::default(), seed: None, options, signal };
        self.agents.create(request).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Gives an agent a prompt.
    pub fn prompt(&self, agent: &Arc<dyn Agent>) {
        let message = Message::user("m1".into(), vec![ContentBlock::text("go")], MessageSource::User);
        agent.followup(Arc::new(message)).unwrap();
    }

    /// Waits until an agent is idle.
    pub async fn idle(&self, agent: &Arc<dyn Agent>) {
        let settled = tokio::time::timeout(Duration::from_secs(60), agent.when_idle()).await;
        assert!(settled.is_ok(), "the agent works for ever:\n{}", self.happened.lock().unwrap().join("\n"));
    }

    /// Runs a turn of a new agent to its end.
    pub async fn turn(&self) {
        let agent = self.agent().await;
        self.prompt(&agent);
        self.idle(&agent).await;
    }

    /// Lets everything run that can.
    pub async fn settle(&self) {
        // The time is tokio's own and moves on only then.
        tokio::time::sleep(Duration::from_millis(1)).await;
    }

    /// What happened so far.
    pub fn happened(&self) -> Vec<String> {
        self.happened.lock().unwrap().clone()
    }

    /// Compares what happened; blank lines and indentation of the expected text do not count.
    pub fn check(&self, expected: &str) {
        compare(&self.happened(), expected);
    }

    /// Compares what happened after the first line that is `line`.
    pub fn check_after(&self, line: &str, expected: &str) {
        let happened = self.happened();
        let at = happened.iter().position(|other| other == line).unwrap_or_else(|| panic!("no `{line}` in {happened:?}"));
        compare(&happened[at + 1..], expected);
    }

    /// The last event of a type.
    pub fn last<T: EventData>(&self) -> T {
        self.log.lock().unwrap().iter().rev().find_map(|event| event.data()).expect("an event of the type")
    }

    /// The last result of a tool: whether it failed, its code, its text.
    pub fn result(&self) -> (bool, Option<String>, String) {
        let ToolResultRecord { message, error, .. } = self.last();
        let [ContentBlock::ToolResult { content, is_error, .. }] = &message.content[..] else { panic!("{message:?}") };
        let text = ContentBlock::joined_text(content).to_lossy().into_owned();
        (*is_error == Some(true), error.map(|error| error.code), text)
    }

    pub async fn teardown(self) {
        self.harness.teardown().await;
    }
}

fn compare(happened: &[String], expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert!(
        happened == expected,
        "what happened is otherwise\n--- expected\n{}\n--- actual\n{}\n",
        expected.join("\n"),
        happened.join("\n")
    );
}

/// Notes that an event got past the plugin.
fn note<E: WaterfallEvent>(
    topic: &Topic<E>,
    row: &PluginContext,
    happened: &Happened,
    words: impl Fn(&E::Payload) -> String + Send + Sync + 'static,
) {
    let happened = Arc::clone(happened);
    let heard = move |payload: &E::Payload| happened.lock().unwrap().push(words(payload));
    let listener = around::<E, _>(heard, |heard, payload, next| {
        heard(payload);
        next.run(payload)
    });
    topic.listen((Position::Row, row.row()), None, listener, row.effects());
}
