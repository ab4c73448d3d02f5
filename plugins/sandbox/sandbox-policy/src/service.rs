//! The policy of live sessions, folded from their logs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_message::SessionId;
use dsh_runtime::description::{PromptKind, PromptPart};
use dsh_runtime::{Inject, MountError, PluginContext, implements, plugin};
use dsh_session::{
    Appended, Created, SeedFold, Session, SessionCreated, SessionDisposed, SessionEvent, SessionEventAppended, SessionStore,
};
use dsh_system_prompt::{AssembleContext, Context, SystemPrompt, Text};

use crate::config::Config;
use crate::event::SandboxModeSet;
use crate::mode::SandboxMode;
use crate::policy::{Policy, SandboxPolicy};

/// Name of the runtime context that states the mode.
const CONTEXT: &str = "sandbox:policy";
/// Its place among runtime contexts, before the one on approvals.
const CONTEXT_ORDER: f64 = 110.0;

/// What the policy may use.
#[derive(Inject)]
pub struct Inject {
    /// Where logs are folded.
    pub sessions: Arc<SessionStore>,
    /// Where models are told of the mode.
    pub system_prompt: Option<Arc<SystemPrompt>>,
}

/// Provider of the policy.
pub struct SessionSandboxPolicy {
    state: Arc<State>,
}

struct State {
    mode: SandboxMode,
    root: PathBuf,
    temp_dir: PathBuf,
    /// Modes that logs name.
    modes: Mutex<BTreeMap<SessionId, SandboxMode>>,
}

#[plugin(provides(dyn SandboxPolicy))]
impl SessionSandboxPolicy {
    /// Settles the fallbacks, and has the mode told to models.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        let cwd = cx.environment().cwd();
        let root = config.workspace_root.map_or_else(|| cwd.to_owned(), |root| cwd.join(root));
        let state = State { mode: config.mode, root, temp_dir: cx.environment().temporary().to_owned(), modes: Mutex::default() };
        let state = Arc::new(state);
        if let Some(prompt) = &inject.system_prompt {
            let told = Arc::clone(&state);
            let text = Text::computed(move |context: &AssembleContext| {
                context.agent.as_ref().map_or_else(String::new, |agent| told.describe(agent.session()))
            });
            prompt.context(cx.scope(), Context::new(CONTEXT, CONTEXT_ORDER, text), cx.effects())?;
        }
        inject.sessions.fold_seeds(|header| ModeFold { session: header.id.clone(), mode: None }, cx.effects());
        Ok(Self { state })
    }

    /// What models are told of the policy.
    #[prompt]
    pub fn describe(_config: &Config) -> Vec<PromptPart> {
        vec![PromptPart::open(PromptKind::Context, CONTEXT, Some(CONTEXT_ORDER), "each session has a mode of its own, which may change")]
    }

    /// Learns the mode of a resumed or forked session.
    #[on(SessionCreated, first)]
    fn begin(&self, created: &Created) {
        let id = &created.session.header().id;
        if let Some(ModeFold { mode: Some(mode), .. }) = created.seed.get() {
            self.state.modes().insert(id.clone(), *mode);
        }
        created.backlog.iter().for_each(|event| self.state.fold(id, event));
    }

    /// Notices a switch.
    #[on(SessionEventAppended, first)]
    fn follow(&self, appended: &Appended) {
        self.state.fold(&appended.session.header().id, &appended.event);
    }

    /// Forgets a session.
    #[on(SessionDisposed, last)]
    fn end(&self, session: &Arc<Session>) {
        self.state.modes().remove(&session.header().id);
    }
}

#[implements]
impl SandboxPolicy for SessionSandboxPolicy {
    fn policy_for(&self, session: &Session) -> Policy {
        self.state.policy_for(session)
    }

    fn default_policy(&self) -> Policy {
        let State { mode, root, temp_dir, .. } = &*self.state;
        Policy { mode: *mode, workspace_root: root.clone(), session_id: None, temp_dir: temp_dir.clone() }
    }
}

impl State {
    fn fold(&self, session: &SessionId, event: &SessionEvent) {
        if let Some(mode) = mode_of(session, event) {
            self.modes().insert(session.clone(), mode);
        }
    }

    fn policy_for(&self, session: &Session) -> Policy {
        let header = session.header();
        Policy {
            mode: self.modes().get(&header.id).copied().unwrap_or(self.mode),
            workspace_root: header.cwd.as_ref().map_or_else(|| self.root.clone(), PathBuf::from),
            session_id: Some(header.id.clone()),
            temp_dir: self.temp_dir.clone(),
        }
    }

    /// What a model is told. It names no path, so that it changes only with the mode.
    fn describe(&self, session: &Session) -> String {
        let mode = self.policy_for(session).mode;
        let effect = match mode {
            SandboxMode::ReadOnly => "You cannot change files.",
            SandboxMode::WorkspaceWrite => "You can change files in the working directory and in the directories for temporary files only.",
            SandboxMode::DangerFullAccess => "Changes of files are not restricted.",
        };
        format!("File policy: {mode}. {effect}")
    }

    fn modes(&self) -> MutexGuard<'_, BTreeMap<SessionId, SandboxMode>> {
        self.modes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The mode that the log of a session ends with.
struct ModeFold {
    session: SessionId,
    mode: Option<SandboxMode>,
}

impl SeedFold for ModeFold {
    fn take(&mut self, event: &SessionEvent) {
        self.mode = mode_of(&self.session, event).or(self.mode);
    }
}

/// The mode that an event sets.
fn mode_of(session: &SessionId, event: &SessionEvent) -> Option<SandboxMode> {
    if !event.is::<SandboxModeSet>() {
        return None;
    }
    let set = event.data::<SandboxModeSet>().map(|set| set.mode);
    Some(set.unwrap_or_else(|| {
        tracing::warn!(%session, seq = event.seq, "a sandbox mode is not readable; nothing may be written");
        SandboxMode::ReadOnly
    }))
}
