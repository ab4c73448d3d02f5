//! A composition in miniature around the verb.

use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use dsh_agent::{AgentCreated, AgentDisposed, AgentPreStep, AgentStatusChanged, Agents};
use dsh_agent_default_model::AgentDefaultModel;
use dsh_agent_loop::AgentLoop;
use dsh_headless::{Headless, Inject};
use dsh_llm::{Llm, LlmAdapter};
use dsh_runtime::{Dispatcher, Exit, Mounted, NoConfig, NoInject, ServeSession, Topic, Verbs};
use dsh_sandbox_policy::{SandboxMode, SessionSandboxPolicy};
use dsh_session_persistence::SessionPersistence;
use dsh_session_persistence_jsonl::{Compression, SessionPersistenceJsonl};
use dsh_testkit::{EveryInvariant, Harness, Reply, ScriptedModel};
use tokio::io::AsyncWrite;

pub struct World {
    pub harness: Harness,
    pub root: PathBuf,
    pub agents: Arc<Agents>,
    pub model: Arc<ScriptedModel>,
    headless: Mounted<Headless>,
}

/// What a run printed and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub exit: Exit,
    pub stdout: String,
    pub stderr: String,
}

/// A stream that keeps what is written.
#[derive(Clone, Default)]
pub struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl AsyncWrite for Kept {
    fn poll_write(self: Pin<&mut Self>, _cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl World {
    pub async fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with_environment([], replies).await
    }

    pub async fn with_environment(variables: impl IntoIterator<Item = (&str, &str)>, replies: impl IntoIterator<Item = Reply>) -> Self {
        let harness = Harness::with_environment(variables);
        let root = harness.folder().join("store");
        Self::mounted(harness, root, replies).await
    }

    /// Over a store that outlives the world.
    pub async fn over(root: &Path, replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::mounted(Harness::new(), root.to_owned(), replies).await
    }

    async fn mounted(mut harness: Harness, root: PathBuf, replies: impl IntoIterator<Item = Reply>) -> Self {
        let sessions = harness.sessions().await;
        let config = dsh_session_persistence_jsonl::Config {
            root: root.clone(),
            pack_chunks: true,
            compression: Compression::None,
            write_batch_max_delay_ms: 200,
        };
        let store = harness.mount::<SessionPersistenceJsonl>("persistence", config, NoInject {}).await;
        sessions.topics.created.attach(&store);
        sessions.topics.disposed.attach(&store);
        sessions.topics.appended.attach(&store);
        sessions.topics.flush.attach(&store);
        let persistence: Arc<dyn SessionPersistence> = store.plugin();
        let inject = dsh_llm::Inject { invariants: None, stream: Dispatcher::detached(), adapters_updated: Dispatcher::detached() };
        let llm = harness.mount::<Llm>("llm", NoConfig {}, inject).await;
        let model = ScriptedModel::new(replies);
        llm.plugin().register(Arc::clone(&model) as Arc<dyn LlmAdapter>, llm.context().effects()).unwrap();
        let (status, pre_step) = (Topic::<AgentStatusChanged>::new(), Topic::<AgentPreStep>::new());
        let inject = dsh_agent::Inject {
            invariants: Some(Arc::new(EveryInvariant)),
            created: Topic::<AgentCreated>::new().dispatcher(),
            disposed: Topic::<AgentDisposed>::new().dispatcher(),
            status: status.dispatcher(),
        };
        let agents = harness.mount::<Agents>("agents", NoConfig {}, inject).await.plugin();
        let tooling = harness.tooling().await;
        let inject = dsh_agent_loop::Inject {
            agents: Arc::clone(&agents),
            sessions: Arc::clone(&sessions.store),
            llm: llm.plugin(),
            tools: Arc::clone(&tooling.tools),
            system_prompt: Arc::clone(&tooling.prompt),
            persistence: Some(Arc::clone(&persistence)),
            invariants: None,
            inserted: Dispatcher::detached(),
            claimed: Dispatcher::detached(),
            discarded: Dispatcher::detached(),
            status: status.dispatcher(),
            session_start: Dispatcher::detached(),
            pre_step: pre_step.dispatcher(),
            request: Dispatcher::detached(),
            request_error: Dispatcher::detached(),
            turn_stopping: Dispatcher::detached(),
            error: Dispatcher::detached(),
            stream: Dispatcher::detached(),
        };
        harness.mount::<AgentLoop>("agent-loop", dsh_agent_loop::Config { max_parallel_tool_calls: 1 }, inject).await;
        let config = dsh_agent_default_model::Config { provider: ScriptedModel::PROVIDER.to_owned(), model: "m".to_owned() };
        let default_model = harness.mount::<AgentDefaultModel>("agent-default-model", config, NoInject {}).await.plugin();
        let config = dsh_sandbox_policy::Config { mode: SandboxMode::WorkspaceWrite, workspace_root: None };
        let inject = dsh_sandbox_policy::Inject { sessions: Arc::clone(&sessions.store), system_prompt: None };
        let policy = harness.mount::<SessionSandboxPolicy>("sandbox-policy", config, inject).await.plugin();
        let inject = Inject {
            agents: Arc::clone(&agents),
            sessions: Arc::clone(&sessions.store),
            default_model,
            persistence: Some(persistence),
            sandbox_policy: Some(policy),
        };
        let headless = harness.mount::<Headless>("headless-runner", NoConfig {}, inject).await;
        sessions.topics.appended.attach(&headless);
        pre_step.attach(&headless);
        Self { harness, root, agents, model, headless }
    }

    pub async fn run(&self, words: &[&str]) -> Ran {
        self.run_fed(words, "").await
    }

    /// With something on standard input.
    pub async fn run_fed(&self, words: &[&str], stdin: &str) -> Ran {
        let (stdout, stderr) = (Kept::default(), Kept::default());
        let exit = self.run_between(words, stdin, stdout.clone(), stderr.clone()).await;
        Ran { exit, stdout: stdout.text(), stderr: stderr.text() }
    }

    pub async fn run_on(&self, words: &[&str], stdout: impl AsyncWrite + Send + 'static, stderr: impl AsyncWrite + Send + 'static) -> Exit {
        self.run_between(words, "", stdout, stderr).await
    }

    /// Runs while the process is asked to end as soon as the model has been asked.
    pub async fn run_interrupted(&self, words: &[&str], signal: u8) -> Ran {
        let surroundings = self.harness.surroundings().clone();
        let interrupt = async {
            while self.agents.list().is_empty() || self.agents.list()[0].session().open_step().is_none() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            surroundings.process.note_signal(signal);
            surroundings.shutdown.cancel();
        };
        tokio::join!(self.run(words), interrupt).0
    }

    async fn run_between(
        &self,
        words: &[&str],
        stdin: &str,
        stdout: impl AsyncWrite + Send + 'static,
        stderr: impl AsyncWrite + Send + 'static,
    ) -> Exit {
        let session = ServeSession {
            input: Box::pin(std::io::Cursor::new(stdin.as_bytes().to_vec())),
            output: Box::pin(stdout),
            errors: Box::pin(stderr),
            shutdown: self.harness.surroundings().shutdown.clone(),
        };
        let words = words.iter().map(ToString::to_string).collect();
        tokio::spawn(self.headless.plugin().run_verb("run", words, session)).await.unwrap()
    }

    /// The one log of the store.
    pub fn log(&self) -> (PathBuf, String) {
        let only = |folder: &Path| {
            let mut entries = std::fs::read_dir(folder).unwrap();
            let entry = entries.next().unwrap().unwrap().path();
            assert!(entries.next().is_none(), "{}", folder.display());
            entry
        };
        let path = only(&only(&self.root)).join("session.jsonl");
        let log = std::fs::read_to_string(&path).unwrap();
        (path, log)
    }
}
