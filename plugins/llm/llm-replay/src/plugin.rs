//! The plugin: it reads the recording and registers an adapter for each route in it.

use std::sync::{Arc, Mutex, PoisonError};

use dsh_llm::Llm;
use dsh_runtime::{Inject, MountError, PluginContext, plugin};
use dsh_session::{Session, SessionDisposed, SessionStore};
use dsh_session_persistence::{LogSource, SessionPersistence};

use crate::Config;
use crate::adapter::ReplayAdapter;
use crate::recording::Recording;
use crate::replay::Replay;

/// What the model needs.
#[derive(Inject)]
pub struct Inject {
    /// Where adapters are registered.
    pub llm: Arc<Llm>,
    /// Knows where the sessions that call work.
    pub sessions: Arc<SessionStore>,
    /// Reads the recording.
    pub persistence: Arc<dyn SessionPersistence>,
}

/// A model that says what was recorded.
pub struct ReplayedModel {
    replay: Arc<Replay>,
}

#[plugin]
impl ReplayedModel {
    /// Reads the recording, so that a wrong one keeps the row from mounting.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        let path = cx.environment().cwd().join(&config.file);
        let recording: Arc<Mutex<Recording>> = Arc::default();
        let taker = Arc::clone(&recording);
        let take = Box::new(move |event| taker.lock().unwrap_or_else(PoisonError::into_inner).take(event));
        let inspection = inject.persistence.inspect(LogSource::File(path.clone()), take).await.map_err(MountError::new)?;
        let recording = std::mem::take(&mut *recording.lock().unwrap_or_else(PoisonError::into_inner));
        let providers = recording.providers();
        if providers.is_empty() {
            return Err(MountError::new(format!("the recording {} holds no call of a model; name another one as `file`", path.display())));
        }
        let replay = Arc::new(Replay::new(path, recording, inspection.header.cwd, inject.sessions));
        for provider in providers {
            let adapter = ReplayAdapter { provider, replay: Arc::clone(&replay) };
            inject.llm.register(Arc::new(adapter), cx.effects())?;
        }
        Ok(Self { replay })
    }

    /// Forgets how far a session is that ended.
    #[on(SessionDisposed)]
    fn forget(&self, session: &Arc<Session>) {
        self.replay.forget(&session.header().id);
    }
}
