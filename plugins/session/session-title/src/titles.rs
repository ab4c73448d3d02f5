//! Follows the logs of live sessions and writes the fallback title.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_message::SessionId;
use dsh_runtime::{Inject, MountError, PluginContext, plugin};
use dsh_session::catalogue::UserMessage;
use dsh_session::{
    Appended, Created, SeedFold, Session, SessionCreated, SessionDisposed, SessionEvent, SessionEventAppended, SessionHeader, SessionStore,
};

use crate::config::Config;
use crate::event::{SessionTitle, TitleSource};
use crate::fallback;

/// What is known of a session's title.
#[derive(Clone)]
enum Progress {
    /// No person has written yet.
    Unnamed,
    /// The first prompt gives this title, and the log has none.
    Candidate(SessionTitle),
    /// The log has a title.
    Titled,
}

/// What the log that a session begins with tells of its title.
struct TitleFold {
    config: Arc<Config>,
    progress: Progress,
}

impl SeedFold for TitleFold {
    fn take(&mut self, event: &SessionEvent) {
        advance(&self.config, &mut self.progress, event);
    }
}

/// What the plugin needs.
#[derive(Inject)]
pub struct Inject {
    /// Where logs are folded.
    pub sessions: Arc<SessionStore>,
}

/// Names sessions.
pub struct SessionTitles {
    cx: PluginContext,
    config: Arc<Config>,
    sessions: Arc<Mutex<BTreeMap<SessionId, Progress>>>,
}

#[plugin]
impl SessionTitles {
    /// Checks that a fallback title is an acceptable title.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        if config.fallback_max_bytes > config.max_title_bytes {
            return Err(MountError::new(format!(
                "`fallbackMaxBytes` ({}) must not be more than `maxTitleBytes` ({})",
                config.fallback_max_bytes, config.max_title_bytes
            )));
        }
        let config = Arc::new(config);
        let folded = Arc::clone(&config);
        let fold = move |_: &SessionHeader| TitleFold { config: Arc::clone(&folded), progress: Progress::Unnamed };
        inject.sessions.fold_seeds(fold, cx.effects());
        Ok(Self { cx: cx.clone(), config, sessions: Arc::default() })
    }

    /// Learns what the log of a new or resumed session holds already.
    #[on(SessionCreated)]
    fn begin(&self, created: &Created) {
        let mut progress = created.seed.get().map_or(Progress::Unnamed, |fold: &TitleFold| fold.progress.clone());
        let spoke = created.backlog.iter().map(|event| advance(&self.config, &mut progress, event)).fold(false, |any, one| any | one);
        self.sessions().insert(created.session.header().id.clone(), progress);
        if spoke {
            self.write_soon(&created.session);
        }
    }

    /// Notices titles and first prompts.
    #[on(SessionEventAppended)]
    fn follow(&self, appended: &Appended) {
        let spoke = match self.sessions().get_mut(&appended.session.header().id) {
            Some(progress) => advance(&self.config, progress, &appended.event),
            None => false,
        };
        if spoke {
            self.write_soon(&appended.session);
        }
    }

    /// Forgets a session.
    #[on(SessionDisposed)]
    fn end(&self, session: &Arc<Session>) {
        self.sessions().remove(&session.header().id);
    }

    /// Writes the candidate in a task of its own: a log takes no event from inside the publication of another.
    fn write_soon(&self, session: &Arc<Session>) {
        let (sessions, session) = (Arc::clone(&self.sessions), Arc::clone(session));
        // The task ends by itself; the row waits for it at teardown.
        drop(self.cx.spawn(async move {
            let candidate = match lock(&sessions).get(&session.header().id) {
                Some(Progress::Candidate(title)) => title.clone(),
                // Someone was faster, or the session ended.
                _ => return,
            };
            if let Err(error) = session.append(&candidate) {
                tracing::warn!(session = %session.header().id, %error, "the session's title was not logged");
            }
        }));
    }

    fn sessions(&self) -> MutexGuard<'_, BTreeMap<SessionId, Progress>> {
        lock(&self.sessions)
    }
}

/// Takes an event in. Yields whether a person spoke while the session has no title.
fn advance(config: &Config, progress: &mut Progress, event: &SessionEvent) -> bool {
    if event.is::<SessionTitle>() {
        *progress = Progress::Titled;
    }
    if matches!(progress, Progress::Titled) || !event.is::<UserMessage>() {
        return false;
    }
    let Some(title) = event.data::<UserMessage>().and_then(|message| fallback::title(&message.0, config)) else {
        return false;
    };
    if matches!(progress, Progress::Unnamed) {
        *progress = Progress::Candidate(SessionTitle { title, message_seqs: vec![event.seq], source: TitleSource::Fallback });
    }
    true
}

fn lock(sessions: &Mutex<BTreeMap<SessionId, Progress>>) -> MutexGuard<'_, BTreeMap<SessionId, Progress>> {
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}
