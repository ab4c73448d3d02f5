//! Titles of live, resumed and renamed sessions.

use std::sync::Arc;

use dsh_message::{ContentBlock, Message, MessageSource, PluginSource};
use dsh_runtime::{Dispatcher, PluginContext, Surroundings, Topic, mount};
use dsh_session::catalogue::UserMessage;
use dsh_session::{NewSession, Session, SessionCreated, SessionDisposed, SessionEvent, SessionEventAppended, SessionStore, SurfaceOp};
use dsh_session_title::{Config, Inject, SessionTitle, SessionTitles, TitleSource};

const LIMITS: Config = Config { fallback_max_words: 5, fallback_max_bytes: 40, max_title_bytes: 80 };

struct World {
    store: Arc<SessionStore>,
    log: Arc<std::sync::Mutex<Vec<Arc<SessionEvent>>>>,
}

impl World {
    async fn new() -> Self {
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
        let store = mount::<SessionStore>(context("sessions"), dsh_runtime::NoConfig {}, inject).await.unwrap().plugin();
        let inject = Inject { sessions: Arc::clone(&store) };
        let titles = mount::<SessionTitles>(context("session-title"), LIMITS, inject).await.unwrap();
        created.attach(&titles);
        disposed.attach(&titles);
        appended.attach(&titles);
        let log = Arc::<std::sync::Mutex<Vec<Arc<SessionEvent>>>>::default();
        let heard = Arc::clone(&log);
        let record = move |appended: &dsh_session::Appended| {
            heard.lock().unwrap().push(Arc::clone(&appended.event));
            Ok(())
        };
        appended.listen((dsh_runtime::Position::Last, 9), None, Arc::new(record), titles.context().effects());
        Self { store, log }
    }

    fn open(&self, id: &str, seed: Option<Vec<SessionEvent>>) -> Arc<Session> {
        let session = self.store.prepare(id.into(), NewSession::default(), seed).unwrap();
        self.store.enter(&session).unwrap();
        self.store.announce(&session).unwrap();
        session
    }

    /// All titles in the logs, after the tasks of the row have run.
    async fn titles(&self) -> Vec<SessionTitle> {
        tokio::task::yield_now().await;
        self.log.lock().unwrap().iter().filter_map(|event| event.data()).collect()
    }

    fn kinds(&self) -> Vec<String> {
        self.log.lock().unwrap().iter().map(|event| event.kind.to_string()).collect()
    }
}

fn context(row: &str) -> PluginContext {
    PluginContext::new(row, 0, Surroundings::of_process())
}

fn say(session: &Arc<Session>, texts: &[&str], source: MessageSource) -> u64 {
    let content = texts.iter().map(|text| ContentBlock::text(*text)).collect();
    let id = format!("message-{}", session.length());
    let message = UserMessage(Arc::new(Message::user(id.into(), content, source)));
    session.append_message(&message, SurfaceOp::Append, None).unwrap().seq
}

fn fallback(title: &str, seq: u64) -> SessionTitle {
    SessionTitle { title: title.to_owned(), message_seqs: vec![seq], source: TitleSource::Fallback }
}

fn plugin() -> MessageSource {
    MessageSource::Plugin(PluginSource { plugin: "x".to_owned(), form: None, sections: None, summary: None })
}

#[tokio::test]
async fn the_first_prompt_names_the_session_and_is_cut_at_a_character() {
    let world = World::new().await;
    let session = world.open("s", None);
    let seq = say(&session, &["Perform one side-effecting remote mutation."], MessageSource::User);
    assert_eq!(world.titles().await, [fallback("Perform one side-effecting remote mutati", seq)]);
    let wide = world.open("wide", None);
    let seq = say(&wide, &["漢字漢字漢字漢字漢字漢字漢字"], MessageSource::User);
    assert_eq!(world.titles().await[1..], [fallback("漢字漢字漢字漢字漢字漢字漢", seq)]);
}

#[tokio::test]
async fn the_title_follows_the_message_and_is_written_once() {
    let world = World::new().await;
    let session = world.open("s", None);
    say(&session, &["context"], plugin());
    say(&session, &["\u{1b}[0m \u{200b}"], MessageSource::User);
    let seq = say(&session, &["one two", "three\tfour five six"], MessageSource::User);
    say(&session, &["second"], MessageSource::User);
    assert_eq!(world.titles().await, [fallback("one two three four five", seq)]);
    say(&session, &["third"], MessageSource::User);
    assert_eq!(world.titles().await.len(), 1);
    assert_eq!(world.kinds()[..5], ["user/message", "user/message", "user/message", "user/message", "session/title"]);
}

#[tokio::test]
async fn the_record_has_the_form_of_the_log() {
    let world = World::new().await;
    let session = world.open("s", None);
    say(&session, &["hi"], MessageSource::User);
    world.titles().await;
    let data = world.log.lock().unwrap()[1].data.get().to_owned();
    assert_eq!(data, r#"{"title":"hi","messageSeqs":[0],"source":{"kind":"fallback"}}"#);
    let provider = r#"{"title":"t","messageSeqs":[3],"source":{"kind":"provider","provider":"p","model":{"provider":"a","model":"b"}}}"#;
    let read: SessionTitle = serde_json::from_str(provider).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), provider);
}

#[tokio::test]
async fn a_title_in_the_log_stays() {
    let world = World::new().await;
    let renamed = world.open("renamed", None);
    say(&renamed, &["prompt"], MessageSource::User);
    let chosen = SessionTitle { title: "mine".to_owned(), message_seqs: vec![], source: TitleSource::User };
    renamed.append(&chosen).unwrap();
    assert_eq!(world.titles().await, [chosen]);
    let seed = world.log.lock().unwrap().iter().map(|event| SessionEvent::clone(event)).collect();
    let resumed = world.open("resumed", Some(seed));
    say(&resumed, &["another prompt"], MessageSource::User);
    assert_eq!(world.titles().await.len(), 1);
}

#[tokio::test]
async fn a_resumed_session_without_a_title_is_named_after_its_first_prompt() {
    let world = World::new().await;
    let first = world.open("first", None);
    let seq = say(&first, &["first prompt"], MessageSource::User);
    let seed = world.log.lock().unwrap().iter().map(|event| SessionEvent::clone(event)).collect();
    world.store.detach(&first);
    let resumed = world.open("resumed", Some(seed));
    assert_eq!(world.titles().await, []);
    say(&resumed, &["second prompt"], MessageSource::User);
    assert_eq!(world.titles().await, [fallback("first prompt", seq)]);
}

#[tokio::test]
async fn a_prompt_from_before_the_publication_counts() {
    let world = World::new().await;
    let session = world.store.prepare("s".into(), NewSession::default(), None).unwrap();
    let seq = say(&session, &["early"], MessageSource::User);
    world.store.enter(&session).unwrap();
    world.store.announce(&session).unwrap();
    assert_eq!(world.titles().await, [fallback("early", seq)]);
    assert_eq!(world.kinds(), ["session/title"]);
}

#[tokio::test]
async fn a_fallback_longer_than_a_title_is_refused() {
    let config = Config { fallback_max_bytes: 81, ..LIMITS };
    let inject = Inject { sessions: World::new().await.store };
    let refused = mount::<SessionTitles>(context("session-title"), config, inject).await.err().unwrap().to_string();
    assert!(refused.contains("`fallbackMaxBytes` (81)") && refused.contains("`maxTitleBytes` (80)"), "{refused}");
}
