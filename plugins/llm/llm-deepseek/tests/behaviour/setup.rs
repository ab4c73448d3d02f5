//! The adapter mounted beside the registry and the session store.

use std::path::PathBuf;
use std::sync::Arc;

use dsh_llm::{Inject as LlmInject, Llm, LlmRequest, RequestMessages};
use dsh_llm_deepseek::{Backoff, Config, DeepSeek, Inject, RetryConfig, RetryMode};
use dsh_message::{ContentBlock, FinishReason, LlmFailure, Message, MessageSource, StreamChunk};
use dsh_runtime::{
    CancellationToken, Dispatcher, Environment, ManualClock, MountError, Mounted, NoConfig, PluginContext, Process, SecretEnv,
    SequentialIds, Surroundings, Timestamp, Topic, mount,
};
use dsh_session::{CallConfig, Inject as SessionInject, NewSession, Session, SessionDisposed, SessionStore};
use futures_util::StreamExt;

use crate::server::Server;

pub const KEY: &str = "sk-very-secret";

pub struct Setup {
    pub llm: Mounted<Llm>,
    pub sessions: Mounted<SessionStore>,
    _adapter: Mounted<DeepSeek>,
}

pub fn config(url: &str) -> Config {
    Config {
        api_key_env: SecretEnv::new("TEST_KEY"),
        base_url: Some(url.to_owned()),
        thinking: None,
        reasoning_effort: None,
        max_tokens: 256_000,
        default_context_window: 1_000_000,
        models: Vec::new(),
        stream_idle_timeout_ms: 60_000,
        retry_policy: RetryConfig {
            mode: RetryMode::Normal,
            max_retries: 5,
            retryable_codes: vec!["SERVER".to_owned()],
            backoff: Backoff { initial_delay_ms: 500, max_delay_ms: 10_000, jitter_ratio: 0.1 },
        },
    }
}

pub async fn setup(server: &Server) -> Setup {
    mounted(config(&server.url), &[("TEST_KEY", KEY)]).await.unwrap()
}

pub async fn mounted(config: Config, variables: &[(&str, &str)]) -> Result<Setup, MountError> {
    let surroundings = Surroundings {
        // 1994-11-06 08:49:30 UTC.
        clock: Arc::new(ManualClock::at(Timestamp(784_111_770_000))),
        ids: Arc::new(SequentialIds::default()),
        environment: Arc::new(Environment::of(variables.iter().copied(), PathBuf::from("/"))),
        shutdown: CancellationToken::new(),
        process: Process::default(),
    };
    let cx = |row_id: &str, row| PluginContext::new(row_id, row, surroundings.clone());
    let disposed = Topic::<SessionDisposed>::new();
    let inject = SessionInject {
        invariants: None,
        created: Dispatcher::detached(),
        disposed: disposed.dispatcher(),
        committing: Dispatcher::detached(),
        appended: Dispatcher::detached(),
        flush: Dispatcher::detached(),
    };
    let sessions = mount::<SessionStore>(cx("sessions", 0), NoConfig {}, inject).await?;
    let inject = LlmInject { invariants: None, stream: Dispatcher::detached(), adapters_updated: Dispatcher::detached() };
    let llm = mount::<Llm>(cx("llm", 1), NoConfig {}, inject).await?;
    let adapter = mount::<DeepSeek>(cx("llm-deepseek", 2), config, Inject { llm: llm.plugin() }).await?;
    disposed.attach(&adapter);
    Ok(Setup { llm, sessions, _adapter: adapter })
}

impl Setup {
    /// The whole reply to `request`, with the adapter's defaults.
    pub async fn reply(&self, request: LlmRequest) -> Vec<StreamChunk> {
        self.reply_to(CallConfig::default(), request).await
    }

    /// The same with other settings; their route is filled in.
    pub async fn reply_to(&self, config: CallConfig, request: LlmRequest) -> Vec<StreamChunk> {
        let llm = self.llm.plugin();
        let config = CallConfig { provider: "deepseek-official".to_owned(), model: "deepseek-v4-flash".to_owned(), ..config };
        let prepared = llm.prepare(config, &request.signal).await.unwrap();
        llm.stream(prepared, request).await.unwrap().collect().await
    }

    /// The failure of a call that says `hello`.
    pub async fn failure(&self) -> LlmFailure {
        failure(&self.reply(hello()).await)
    }

    /// A live session without messages.
    pub fn session(&self, id: &str) -> Arc<Session> {
        let store = self.sessions.plugin();
        let session = store.prepare(id.into(), NewSession::default(), None).unwrap();
        store.enter(&session).unwrap();
        session
    }
}

/// The failure that ends a reply.
pub fn failure(reply: &[StreamChunk]) -> LlmFailure {
    match reply.last() {
        Some(StreamChunk::Finish { reason: FinishReason::Error { failure } | FinishReason::Aborted { failure }, .. }) => failure.clone(),
        _ => panic!("no failure: {reply:?}"),
    }
}

/// A request beside any conversation.
pub fn auxiliary(messages: Vec<Message>) -> LlmRequest {
    LlmRequest {
        messages: RequestMessages::Auxiliary(messages.into_iter().map(Arc::new).collect()),
        system: None,
        tools: Arc::from([]),
        session: None,
        purpose: None,
        signal: CancellationToken::new(),
    }
}

pub fn user(content: Vec<ContentBlock>) -> Message {
    Message::user("m".into(), content, MessageSource::User)
}

pub fn assistant(content: Vec<ContentBlock>) -> Message {
    let source = MessageSource::Model { provider: "p".to_owned(), model: "m".to_owned(), replay_state: None };
    Message::assistant("m".into(), content, source)
}

pub fn hello() -> LlmRequest {
    auxiliary(vec![user(vec![ContentBlock::text("hello")])])
}
