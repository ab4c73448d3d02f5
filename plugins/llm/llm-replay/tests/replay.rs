//! Which calls a recording answers, at the registry of models. What an agent makes of it is tested with the product.

use std::path::Path;
use std::sync::Arc;

use dsh_llm::{Inject as LlmInject, Llm, LlmRequest, Purpose, RequestMessages};
use dsh_llm_replay::{Config, Inject, ReplayedModel};
use dsh_message::{FinishReason, Message, MessageSource, StreamChunk};
use dsh_runtime::{CancellationToken, Dispatcher, Environment, Mounted, NoConfig, NoInject, PluginContext, Surroundings, mount};
use dsh_session::catalogue::UserMessage;
use dsh_session::{CallConfig, NewSession, SessionStore, SurfaceOp};
use dsh_session_persistence_jsonl::{Compression, Config as StoreConfig, SessionPersistenceJsonl};
use futures_util::StreamExt;

const TIME: &str = "\"time\":1790000000000";

struct World {
    llm: Mounted<Llm>,
    sessions: Mounted<SessionStore>,
    _store: Mounted<SessionPersistenceJsonl>,
    model: Mounted<ReplayedModel>,
}

/// A log with one call on the route `p` that answered `yes` to `hello`.
fn recording() -> String {
    let events = [
        r#""turn/start","data":{"turn":1}"#,
        r#""step/start","data":{"turn":1,"step":1}"#,
        r#""user/message","data":{"content":[{"type":"text","text":"hello"}],"source":{"kind":"user"},"role":"user","id":"m"},"surfaceOp":"append""#,
        r#""request/header","data":{"header":{"config":{"provider":"p","model":"m","reasoningEffort":"high","maxTokens":9},"adapterDefaults":{"maxTokens":true}},"reason":"initial"}"#,
        r#""request/context","data":{"provider":"p","model":"m","contextWindow":77}"#,
        r#""assistant/chunk","data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0,"text":"yes"}}"#,
        r#""assistant/chunk","data":{"turn":1,"step":1,"chunk":{"type":"finish","reason":{"kind":"stop"}}}"#,
    ];
    let line = |(seq, event): (usize, &str)| {
        let (kind, rest) = event.split_once(',').unwrap();
        format!("{{\"type\":{kind},\"seq\":{seq},{TIME},{rest}}}\n")
    };
    let header = "{\"type\":\"session\",\"version\":0,\"id\":\"then\",\"createdAt\":1,\"cwd\":\"/w\",\"delegationDepth\":0}\n";
    header.to_owned() + &events.into_iter().enumerate().map(line).collect::<String>()
}

impl World {
    async fn new(folder: &Path) -> Self {
        std::fs::write(folder.join("recorded.jsonl"), recording()).unwrap();
        let environment = Arc::new(Environment::of([("A", "b")], folder));
        let surroundings = Surroundings { environment, ..Surroundings::of_process() };
        let row = |name: &str, number| PluginContext::new(name, number, surroundings.clone());
        let inject = LlmInject { invariants: None, stream: Dispatcher::detached(), adapters_updated: Dispatcher::detached() };
        let llm = mount::<Llm>(row("llm", 0), NoConfig {}, inject).await.unwrap();
        let inject = dsh_session::Inject {
            invariants: None,
            created: Dispatcher::detached(),
            disposed: Dispatcher::detached(),
            committing: Dispatcher::detached(),
            appended: Dispatcher::detached(),
            flush: Dispatcher::detached(),
        };
        let sessions = mount::<SessionStore>(row("session", 1), NoConfig {}, inject).await.unwrap();
        let config =
            StoreConfig { root: folder.join("store"), pack_chunks: true, compression: Compression::None, write_batch_max_delay_ms: 200 };
        let store = mount::<SessionPersistenceJsonl>(row("sessions", 2), config, NoInject {}).await.unwrap();
        let inject = Inject { llm: llm.plugin(), sessions: sessions.plugin(), persistence: store.plugin() };
        let config = Config { file: "recorded.jsonl".into() };
        let model = mount::<ReplayedModel>(row("llm-replay", 3), config, inject).await.unwrap();
        Self { llm, sessions, _store: store, model }
    }

    /// The messages of a session that begins with this text.
    fn logged(&self, id: &str, text: &str) -> RequestMessages {
        let session = self.sessions.plugin().prepare(id.into(), NewSession::default(), None).unwrap();
        let message = Arc::new(Message::user("other".into(), vec![dsh_message::ContentBlock::text(text)], MessageSource::User));
        session.append_message(&UserMessage(message), SurfaceOp::Append, None).unwrap();
        RequestMessages::Logged(session.history())
    }

    /// The texts of a reply, or the code of the failure that ends it.
    async fn says(&self, messages: RequestMessages, purpose: Option<Purpose>) -> String {
        let llm = self.llm.plugin();
        let effort = Some("high".to_owned());
        let config = CallConfig { provider: "p".to_owned(), model: "m".to_owned(), reasoning_effort: effort, ..CallConfig::default() };
        let prepared = llm.prepare(config, &CancellationToken::new()).await.unwrap();
        let signal = CancellationToken::new();
        let request = LlmRequest { messages, system: None, tools: Arc::from([]), session: None, purpose, signal };
        let chunks: Vec<StreamChunk> = llm.stream(prepared, request).await.unwrap().collect().await;
        let said = chunks.into_iter().map(|chunk| match chunk {
            StreamChunk::TextDelta { text, .. } => text.to_string(),
            StreamChunk::Finish { reason: FinishReason::Error { failure }, .. } => failure.code,
            StreamChunk::Finish { .. } => ".".to_owned(),
            other => format!("{other:?}"),
        });
        said.collect()
    }
}

#[tokio::test]
async fn a_call_of_a_session_is_answered_once_for_each_session() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path()).await;
    assert_eq!(world.says(world.logged("a", "hello"), None).await, "yes.");
    assert_eq!(world.says(world.logged("b", "hello"), None).await, "yes.");
    assert_eq!(world.says(world.logged("a", "hello"), None).await, "REPLAY_OVER");
    assert_eq!(world.says(world.logged("c", "hullo"), None).await, "REPLAY_DIFFERS");
    assert_eq!(world.says(world.logged("c", "hello"), None).await, "yes.", "a refusal does not count");
    world.model.context().effects().unwind().await;
    assert!(!world.llm.plugin().has("p"));
}

#[tokio::test]
async fn a_call_beside_the_conversation_is_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path()).await;
    assert_eq!(world.says(RequestMessages::Auxiliary(Arc::from([])), Some(Purpose::SessionTitle)).await, "REPLAY_UNRECORDED");
    assert_eq!(world.says(world.logged("a", "hello"), Some(Purpose::Compaction)).await, "REPLAY_UNRECORDED");
}

#[tokio::test]
async fn what_the_adapter_filled_in_then_is_filled_in_again() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path()).await;
    let models = world.llm.plugin().list_models("p").unwrap();
    let [model] = &models[..] else { panic!("{models:?}") };
    assert_eq!((&*model.id, model.context_window, model.default_max_tokens), ("m", Some(77), Some(9)));
    assert_eq!((model.reasoning_efforts.as_slice(), &model.default_reasoning_effort), (&["high".to_owned()][..], &None));
}
