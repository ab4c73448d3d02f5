//! The plugin: it writes what the sessions of this process append, and answers for what is stored.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dsh_message::SessionId;
use dsh_runtime::{CancellationToken, ListenerError, MountError, PluginContext, Vocabulary, implements, plugin};
use dsh_session::{
    Appended, Created, Folding, Session, SessionCommitting, SessionCreated, SessionDisposed, SessionEventAppended, SessionFlush,
    SessionHeader,
};
use dsh_session_persistence::{EventVisitor, Inspection, LogSource, PersistenceError, Resumption, SessionPersistence, StoredSession};

use tokio::sync::Semaphore;

use crate::config::Config;
use crate::encoding::Encoding;
use crate::header::Writer;
use crate::inspecting;
use crate::layout::Layout;
use crate::pack::Packing;
use crate::root;
use crate::session_log::{Settings, Waiting};
use crate::store::Store;
use crate::vocabulary::Words;
use crate::window::Windows;

/// Stores sessions as files of JSON lines.
pub struct SessionPersistenceJsonl {
    cx: PluginContext,
    store: Arc<Store>,
    windows: Windows,
    syncing: Arc<Semaphore>,
}

#[plugin(
    provides(dyn SessionPersistence),
    platforms("linux"),
    writes(
        "{root}/PROJECT/SESSION/session.jsonl" = "the log of a session, one line an event; `session.jsonl.zstd` where the store is compressed",
        "{root}/PROJECT/SESSION/session.lock" = "an empty file that carries the lock of the session's writer",
    )
)]
impl SessionPersistenceJsonl {
    /// Checks that the store's directory is one where it exists; nothing is made yet.
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        let root = root::absolute(cx.environment().cwd(), &config.root);
        root::check(&root).map_err(MountError::new)?;
        let packing = if config.pack_chunks { Packing::Rows } else { Packing::Verbatim };
        let encoding = Encoding::new(config.compression).map_err(|error| MountError::new(format!("no compressor: {error}")))?;
        let layout = Layout::new(root, config.compression);
        let writer = Writer {
            composition: cx.surroundings().process.composition().map(str::to_owned),
            vocabulary: cx.identity().map(|identity| &identity.vocabulary).filter(|words| **words != Vocabulary::EMPTY).map(Words::from),
        };
        let settings = Settings { layout, packing, encoding, ids: Arc::clone(cx.ids()), writer };
        let store = Arc::new(Store::new(Arc::new(settings)));
        let (windows, open) = Windows::new(Duration::from_millis(config.write_batch_max_delay_ms));
        let stop = CancellationToken::new();
        cx.spawn(open.run(stop.clone()));
        let left = Arc::clone(&store);
        cx.effects().push(move || async move {
            stop.cancel();
            // Whoever drives agents ends their sessions first; these are the ones that it left.
            let flushed = tokio::task::spawn_blocking(move || left.close_all().iter().for_each(|log| report(log.flush())));
            if let Err(error) = flushed.await {
                tracing::error!(%error, "the session store was not flushed");
            }
        });
        Ok(Self { cx: cx.clone(), store, windows, syncing: Arc::new(Semaphore::new(MOST_SYNCING)) })
    }

    /// Opens the log of a session and writes what was appended before it became live, and what it inherited.
    #[on(SessionCreated, first)]
    fn created(&self, created: &Created) -> Result<(), ListenerError> {
        let session = &created.session;
        let log = self.store.open(session.header(), session.first_live_seq(), &created.inherited).map_err(ListenerError::new)?;
        let taken = created.backlog.iter().try_for_each(|event| {
            log.admit(event)?;
            log.take(event);
            Ok(())
        });
        taken.and_then(|()| log.write_waiting()).map_err(|error| {
            self.store.close(&session.header().id);
            ListenerError::new(error)
        })
    }

    /// Keeps an event out of the log that no line can hold, any out of one that cannot be written and holds all that it may, and out
    /// of one that cannot be written what must not begin without its record.
    #[on(SessionCommitting, last)]
    fn committing(&self, appended: &Appended) -> Result<(), ListenerError> {
        match self.store.live(&appended.session.header().id) {
            Some(log) => log.admit(&appended.event).map_err(ListenerError::new),
            None => Ok(()),
        }
    }

    /// Writes an event before anybody else hears of it.
    #[on(SessionEventAppended, first)]
    fn appended(&self, appended: &Appended) {
        // A session without a log was refused when it was created.
        let Some(log) = self.store.live(&appended.session.header().id) else { return };
        if log.take(&appended.event) == Waiting::Begins {
            self.windows.open(&log);
        }
    }

    /// Makes a session's log durable.
    #[on(SessionFlush)]
    async fn flush(&self, session: &Arc<Session>) -> Result<(), ListenerError> {
        let Some(log) = self.store.live(&session.header().id) else { return Ok(()) };
        if log.is_flushed() {
            return Ok(());
        }
        let flushed = self.cx.spawn(async move { tokio::task::spawn_blocking(move || log.flush()).await }).await;
        flushed.and_then(|flushed| flushed).map_err(ListenerError::new)?.map_err(ListenerError::new)
    }

    /// Writes the log of a session that ended and lets it go. It becomes durable in the background: where many sessions end at once,
    /// waiting for the disk one after the other would hold up everything else that ends.
    #[on(SessionDisposed)]
    fn disposed(&self, session: &Arc<Session>) {
        let Some(log) = self.store.close(&session.header().id) else { return };
        match log.finish() {
            Ok(None) => {}
            Err(error) => report(Err(error)),
            Ok(Some(sync)) => {
                let turns = Arc::clone(&self.syncing);
                // The row waits for it at teardown.
                drop(self.cx.spawn(async move {
                    // Nobody closes the semaphore.
                    let _turn = turns.acquire().await;
                    let synced =
                        tokio::task::spawn_blocking(move || sync.run().map_err(|(path, error)| format!("{}: {error}", path.display())));
                    report(synced.await.unwrap_or_else(|error| Err(error.to_string())));
                }));
            }
        }
    }
}

/// Logs of ended sessions that are made durable at once. The file system joins what is waited for at the same time.
const MOST_SYNCING: usize = 32;

fn report(flushed: Result<(), impl std::fmt::Display>) {
    if let Err(error) = flushed {
        tracing::error!(%error, "the end of a session's log may be lost");
    }
}

impl SessionPersistenceJsonl {
    /// Runs something that waits for the disk in a thread of its own. It is finished also when nobody waits for it any more.
    async fn blocking<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Store) -> Result<T, PersistenceError> + Send + 'static,
    ) -> Result<T, PersistenceError> {
        let store = Arc::clone(&self.store);
        let root = self.store.settings.layout.root().to_owned();
        let done = self.cx.spawn(async move { tokio::task::spawn_blocking(move || run(&store)).await }).await;
        let failed = |error| PersistenceError::Io { path: root, source: std::io::Error::other(error) };
        done.and_then(|done| done).map_err(failed)?
    }
}

#[implements]
impl SessionPersistence for SessionPersistenceJsonl {
    async fn load(&self, id: SessionId) -> Result<StoredSession, PersistenceError> {
        self.blocking(move |store| store.load(&id)).await
    }

    async fn resume(&self, id: SessionId, folding: Folding) -> Result<Resumption, PersistenceError> {
        self.blocking(move |store| store.resume(&id, folding)).await
    }

    async fn inspect(&self, source: LogSource, visitor: EventVisitor) -> Result<Inspection, PersistenceError> {
        self.blocking(move |store| match source {
            LogSource::Stored(id) => store.inspect(&id, visitor),
            LogSource::File(path) => inspecting::file(&path, visitor),
        })
        .await
    }

    async fn list(&self) -> Result<Vec<SessionHeader>, PersistenceError> {
        self.blocking(Store::list).await
    }

    async fn exists(&self, id: SessionId) -> Result<bool, PersistenceError> {
        self.blocking(move |store| store.exists(&id)).await
    }

    async fn locate(&self, id: SessionId) -> Option<PathBuf> {
        self.blocking(move |store| Ok(store.locate(&id))).await.ok().flatten()
    }
}
