//! A composition in miniature around the server.

use std::path::Path;
use std::sync::Arc;

use dsh_agent::{AgentCreated, AgentDisposed, AgentStatusChanged, Agents};
use dsh_agent_loop::AgentLoop;
use dsh_llm::{Llm, LlmAdapter};
use dsh_runtime::{Dispatcher, Exit, Mounted, NoConfig, NoInject, ServeSession, Serves, Topic};
use dsh_sdk_jsonrpc_server::{Config, Inject, SdkJsonrpcServer};
use dsh_session_persistence::SessionPersistence;
use dsh_session_persistence_jsonl::{Compression, SessionPersistenceJsonl};
use dsh_testkit::{EveryInvariant, Harness, Reply, ScriptedModel, Sessions};
use tokio::io::BufReader;
use tokio::task::JoinHandle;

use crate::client::Client;

/// Bytes that a pipe of a test holds.
const PIPE_BYTES: usize = 64 * 1024;

pub struct World {
    harness: Harness,
    pub sessions: Arc<Sessions>,
    pub agents: Arc<Agents>,
    pub persistence: Option<Arc<dyn SessionPersistence>>,
    server: Mounted<SdkJsonrpcServer>,
}

impl World {
    pub async fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::mounted(replies, None).await
    }

    /// With a store of sessions in a folder.
    pub async fn storing(root: &Path, replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::mounted(replies, Some(root)).await
    }

    async fn mounted(replies: impl IntoIterator<Item = Reply>, root: Option<&Path>) -> Self {
        let mut harness = Harness::new();
        let sessions = harness.sessions().await;
        let store = match root {
            Some(root) => {
                let config = dsh_session_persistence_jsonl::Config {
                    root: root.to_owned(),
                    pack_chunks: true,
                    compression: Compression::None,
                    write_batch_max_delay_ms: 200,
                };
                let store = harness.mount::<SessionPersistenceJsonl>("persistence", config, NoInject {}).await;
                sessions.topics.created.attach(&store);
                sessions.topics.disposed.attach(&store);
                sessions.topics.appended.attach(&store);
                sessions.topics.flush.attach(&store);
                Some(store.plugin())
            }
            None => None,
        };
        let persistence = store.map(|store| store as Arc<dyn SessionPersistence>);
        let inject = dsh_llm::Inject { invariants: None, stream: Dispatcher::detached(), adapters_updated: Dispatcher::detached() };
        let llm = harness.mount::<Llm>("llm", NoConfig {}, inject).await;
        llm.plugin().register(ScriptedModel::new(replies) as Arc<dyn LlmAdapter>, llm.context().effects()).unwrap();
        let status = Topic::<AgentStatusChanged>::new();
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
            persistence: persistence.clone(),
            invariants: None,
            inserted: Dispatcher::detached(),
            claimed: Dispatcher::detached(),
            discarded: Dispatcher::detached(),
            status: status.dispatcher(),
            session_start: Dispatcher::detached(),
            pre_step: Dispatcher::detached(),
            request: Dispatcher::detached(),
            request_error: Dispatcher::detached(),
            turn_stopping: Dispatcher::detached(),
            error: Dispatcher::detached(),
            stream: Dispatcher::detached(),
        };
        harness.mount::<AgentLoop>("agent-loop", dsh_agent_loop::Config { max_parallel_tool_calls: 1 }, inject).await;
        let inject = Inject { agents: Arc::clone(&agents), llm: llm.plugin(), persistence: persistence.clone() };
        let server = harness.mount::<SdkJsonrpcServer>("sdk-jsonrpc-server", Config { max_tokens_as_success: false }, inject).await;
        sessions.topics.appended.attach(&server);
        sessions.topics.created.attach(&server);
        status.attach(&server);
        Self { harness, sessions, agents, persistence, server }
    }

    /// Starts to serve a client.
    pub fn serve(&self) -> (Client, JoinHandle<Exit>) {
        let (input, to_server) = tokio::io::duplex(PIPE_BYTES);
        let (from_server, output) = tokio::io::duplex(PIPE_BYTES);
        let session = ServeSession {
            input: Box::pin(BufReader::new(input)),
            output: Box::pin(output),
            errors: Box::pin(tokio::io::sink()),
            shutdown: self.harness.surroundings().shutdown.clone(),
        };
        (Client::new(to_server, from_server), tokio::spawn(self.server.plugin().serve(session)))
    }

    /// A client that has sent `initialize` and read the answer.
    pub async fn client(&self) -> (Client, JoinHandle<Exit>) {
        let (mut client, serving) = self.serve();
        client.initialize().await;
        (client, serving)
    }

    pub fn folder(&self) -> &Path {
        self.harness.folder()
    }

    /// Asks the process to end.
    pub fn ask_to_end(&self) {
        self.harness.surroundings().shutdown.cancel();
    }

    pub async fn teardown(self) {
        self.harness.teardown().await;
    }
}
