//! A temporary store with the registry of sessions, wired as a composition wires them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_message::SessionId;
use dsh_runtime::event::observer;
use dsh_runtime::{
    Environment, Identity, ListenerError, ManualClock, MountError, NoInject, PluginContext, Position, Process, SequentialIds, Surroundings,
    Timestamp, Topic, mount,
};
use dsh_session::{
    Appended, NewSession, SeedFold, Session, SessionCommitting, SessionCreated, SessionDisposed, SessionEvent, SessionEventAppended,
    SessionFlush, SessionStore, StoreError,
};
use dsh_session_persistence::{PersistenceError, Resumption, SessionPersistence, StoredSession};
use dsh_session_persistence_jsonl::{Compression, Config, SessionPersistenceJsonl};

/// When the clock of a world stands still.
pub const NOW: i64 = 1_790_000_000_000;

pub struct World {
    root: PathBuf,
    pub clock: Arc<ManualClock>,
    pub sessions: Arc<SessionStore>,
    pub store: Arc<SessionPersistenceJsonl>,
    pub appended: Topic<SessionEventAppended>,
    committing: Topic<SessionCommitting>,
    cx: PluginContext,
}

pub fn config(root: &Path) -> Config {
    Config { root: root.to_owned(), pack_chunks: true, compression: Compression::None, write_batch_max_delay_ms: 200 }
}

fn surroundings(process: Process) -> (Surroundings, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at(Timestamp(NOW)));
    let surroundings = Surroundings {
        clock: clock.clone(),
        ids: Arc::new(SequentialIds::default()),
        environment: Arc::new(Environment::of(Vec::<(String, String)>::new(), "/nowhere")),
        shutdown: dsh_runtime::CancellationToken::new(),
        process,
    };
    (surroundings, clock)
}

/// Mounts the plugin alone.
pub async fn mounted(config: Config) -> Result<Arc<SessionPersistenceJsonl>, MountError> {
    let cx = PluginContext::new("sessions", 1, surroundings(Process::default()).0);
    Ok(mount::<SessionPersistenceJsonl>(cx, config, NoInject {}).await?.plugin())
}

/// The lines of all events that a fold is shown.
#[derive(Default)]
pub struct Lines(pub Vec<String>);

impl SeedFold for Lines {
    fn take(&mut self, event: &SessionEvent) {
        self.0.push(dsh_json::to_text(event).unwrap() + "\n");
    }
}

impl World {
    pub async fn at(root: &Path) -> Self {
        Self::with(config(root)).await
    }

    /// A world whose store is compressed.
    pub async fn zstd(root: &Path) -> Self {
        Self::with(Config { compression: Compression::Zstd, ..config(root) }).await
    }

    pub async fn with(config: Config) -> Self {
        Self::within(Process::default(), config).await
    }

    /// A world in a process of a binary.
    pub async fn of(identity: &'static Identity, root: &Path) -> Self {
        Self::within(Process::of(identity), config(root)).await
    }

    async fn within(process: Process, config: Config) -> Self {
        let (surroundings, clock) = surroundings(process);
        let root = config.root.clone();
        let (created, disposed) = (Topic::<SessionCreated>::new(), Topic::<SessionDisposed>::new());
        let (committing, flush) = (Topic::<SessionCommitting>::new(), Topic::<SessionFlush>::new());
        let appended = Topic::<SessionEventAppended>::new();
        let inject = dsh_session::Inject {
            invariants: None,
            created: created.dispatcher(),
            disposed: disposed.dispatcher(),
            committing: committing.dispatcher(),
            appended: appended.dispatcher(),
            flush: flush.dispatcher(),
        };
        let cx = PluginContext::new("session", 0, surroundings.clone());
        let sessions = mount::<SessionStore>(cx, dsh_runtime::NoConfig {}, inject).await.unwrap().plugin();
        let cx = PluginContext::new("sessions", 1, surroundings);
        let store = mount::<SessionPersistenceJsonl>(cx.clone(), config, NoInject {}).await.unwrap();
        sessions.fold_seeds(|_| Lines::default(), cx.effects());
        created.attach(&store);
        disposed.attach(&store);
        committing.attach(&store);
        appended.attach(&store);
        flush.attach(&store);
        Self { root, clock, sessions, store: store.plugin(), appended, committing, cx }
    }

    /// A live session in the working directory `/w`.
    pub fn create(&self, id: &str) -> Result<Arc<Session>, StoreError> {
        self.create_with(id, NewSession { cwd: Some("/w".to_owned()), ..NewSession::default() }, None)
    }

    pub fn create_with(&self, id: &str, new: NewSession, seed: Option<Vec<dsh_session::SessionEvent>>) -> Result<Arc<Session>, StoreError> {
        let session = self.sessions.prepare(id.into(), new, seed)?;
        self.publish(&session)?;
        Ok(session)
    }

    /// Takes a stored session up.
    pub async fn resume(&self, id: &str) -> Result<Arc<Session>, StoreError> {
        let StoredSession { header, events } = self.load(id).await.unwrap();
        let session = self.sessions.restore(header, Some(events))?;
        self.publish(&session)?;
        Ok(session)
    }

    /// Claims a stored session and folds its log, into the lines of the events that plugins are shown among others.
    pub async fn claim(&self, id: &str) -> Result<Resumption, PersistenceError> {
        self.store.resume(SessionId::from(id), self.sessions.folding()).await
    }

    /// Takes a stored session up through a fold of its log.
    pub async fn take_up(&self, id: &str) -> Result<Arc<Session>, StoreError> {
        let Resumption { header, seed, claim: _claim } = self.claim(id).await.unwrap();
        let session = self.sessions.resume(header, seed)?;
        self.publish(&session)?;
        Ok(session)
    }

    pub fn publish(&self, session: &Arc<Session>) -> Result<(), StoreError> {
        self.sessions.enter(session)?;
        self.sessions.announce(session)
    }

    pub async fn load(&self, id: &str) -> Result<StoredSession, PersistenceError> {
        self.store.load(SessionId::from(id)).await
    }

    /// Lets a listener that comes after the store keep events out whose data holds a text.
    pub fn refuse_after_the_store(&self, text: &'static str) {
        let listener = move |Appended { event, .. }: &Appended| {
            if event.data.get().contains(text) { Err(ListenerError::new("not this one")) } else { Ok(()) }
        };
        self.committing.listen((Position::Last, 9), None, observer::<SessionCommitting, _>(listener), self.cx.effects());
    }

    pub async fn tear_down(&self) {
        assert_eq!(self.cx.effects().unwind().await, dsh_runtime::TeardownReport::default());
    }

    /// Where the log of a session in `/w` lies.
    pub fn path(&self, segment: &str) -> PathBuf {
        log_path(&self.root, segment)
    }

    /// The log of a session in `/w`.
    pub fn log(&self, segment: &str) -> String {
        std::fs::read_to_string(self.path(segment)).unwrap()
    }
}

pub fn log_path(root: &Path, segment: &str) -> PathBuf {
    root.join("--w--").join(segment).join("session.jsonl")
}

/// Where the compressed log of a session in `/w` lies.
pub fn zstd_path(root: &Path, segment: &str) -> PathBuf {
    log_path(root, segment).with_extension("jsonl.zstd")
}

/// A Zstandard frame as the store writes it.
pub fn frame(text: &str) -> Vec<u8> {
    let mut compressor = zstd::bulk::Compressor::new(3).unwrap();
    compressor.include_checksum(true).unwrap();
    compressor.compress(text.as_bytes()).unwrap()
}

/// The text of each frame of a file, and where each one begins.
pub fn frames(bytes: &[u8]) -> Vec<(usize, String)> {
    let mut rest = bytes;
    let mut frames = Vec::new();
    while !rest.is_empty() {
        let start = bytes.len() - rest.len();
        let mut decoder = zstd::Decoder::with_buffer(rest).unwrap().single_frame();
        frames.push((start, std::io::read_to_string(&mut decoder).unwrap()));
        rest = decoder.finish();
    }
    frames
}

/// Puts a compressed log of a session in `/w` into a store that nobody has open.
pub fn put_frames(root: &Path, segment: &str, texts: &[&str]) -> PathBuf {
    put_zstd(root, segment, texts.iter().flat_map(|text| frame(text)).collect::<Vec<u8>>())
}

/// The same with the bytes of the file.
pub fn put_zstd(root: &Path, segment: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = zstd_path(root, segment);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The header line of a session in `/w`.
pub fn header(id: &str) -> String {
    format!("{{\"type\":\"session\",\"version\":0,\"id\":\"{id}\",\"createdAt\":{NOW},\"cwd\":\"/w\",\"delegationDepth\":0}}\n")
}

/// Puts a log of a session in `/w` into a store that nobody has open.
pub fn put(root: &Path, segment: &str, log: impl AsRef<[u8]>) -> PathBuf {
    let path = log_path(root, segment);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, log).unwrap();
    path
}

/// Lines of a turn that is complete: four events from `seq` on.
pub fn turn(seq: u64, turn: u64) -> String {
    format!(
        "{{\"type\":\"turn/start\",\"seq\":{},\"time\":{NOW},\"data\":{{\"turn\":{turn}}}}}\n\
         {{\"type\":\"step/start\",\"seq\":{},\"time\":{NOW},\"data\":{{\"turn\":{turn},\"step\":1}}}}\n\
         {{\"type\":\"step/end\",\"seq\":{},\"time\":{NOW},\"data\":{{\"turn\":{turn},\"step\":1}}}}\n\
         {{\"type\":\"turn/end\",\"seq\":{},\"time\":{NOW},\"data\":{{\"turn\":{turn},\"reason\":{{\"kind\":\"completed\"}}}}}}\n",
        seq,
        seq + 1,
        seq + 2,
        seq + 3
    )
}

/// The events of a session as lines.
pub fn lines(stored: &StoredSession) -> String {
    stored.events.iter().map(|event| dsh_json::to_text(event).unwrap() + "\n").collect()
}
