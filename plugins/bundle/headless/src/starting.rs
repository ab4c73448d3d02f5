//! The agent of a run: a new one, one for a session that the user names, or one that goes on where an earlier process ended.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_agent::{Agent, AgentFailure, AgentOptions, CreateAgent, KeepInbox, ResumeAgent};
use dsh_message::{ContentBlock, Message, MessageId, MessageSource, PluginSource, SessionId};
use dsh_runtime::CancellationToken;
use dsh_session::NewSession;
use dsh_session::catalogue::{AbortCause, TurnEndReason};
use dsh_session_persistence::{PersistenceError, StoredSession};

use crate::learned::{Learned, enters};
use crate::plugin::Headless;
use crate::run_folder::Begun;
use crate::verdict::Verdict;

/// What the agent is told when an earlier process ended in the middle of its task.
const GO_ON: &str = "The run was interrupted at this point and goes on now. Finish the task.";

/// Why a task did not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("the working directory cannot be used: {}: {source}", path.display())]
    Workdir { path: PathBuf, source: std::io::Error },
    #[error("the working directory is not Unicode: {}", .0.display())]
    NotUnicode(PathBuf),
    #[error(transparent)]
    Agent(#[from] AgentFailure),
    #[error(transparent)]
    Store(#[from] PersistenceError),
}

/// What a run starts from.
pub(crate) struct Started {
    pub(crate) agent: Arc<dyn Agent>,
    /// What the agent is to be told.
    pub(crate) input: Arc<Message>,
    /// What is known of the part of the run that lies behind.
    pub(crate) known: Learned,
}

/// A run that can go on, or has come to its end without a verdict.
pub(crate) enum Start {
    Ready(Started),
    Over(Verdict, Learned),
}

/// What a new agent is to be, where the user says so.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Where it works.
    pub(crate) workdir: Option<&'a Path>,
    /// The preset that it joins.
    pub(crate) preset: Option<&'a str>,
}

impl Headless {
    /// Takes the session up that the user names, and gives it the task.
    pub(crate) async fn go_on_with(&self, begun: &Begun, signal: &CancellationToken) -> Result<Start, StartError> {
        let agent = self.resume(&begun.session_id, signal).await?;
        Ok(Start::Ready(Started { agent, input: task(begun), known: Learned::default() }))
    }

    /// Makes an agent with a new session.
    pub(crate) async fn start(&self, begun: &Begun, wanted: Wanted<'_>, signal: &CancellationToken) -> Result<Start, StartError> {
        let cwd = self.workdir(wanted.workdir)?;
        let agent_preset = wanted.preset.map(str::to_owned);
        let request = CreateAgent {
            session_id: begun.session_id.clone(),
            session: NewSession { cwd: Some(cwd), agent_preset, ..NewSession::default() },
            seed: None,
            options: self.options(),
            signal: signal.clone(),
        };
        Ok(Start::Ready(Started { agent: self.agents.create(request).await?, input: task(begun), known: Learned::default() }))
    }

    /// Goes on with a run that began in an earlier process.
    pub(crate) async fn start_again(&self, begun: &Begun, wanted: Wanted<'_>, signal: &CancellationToken) -> Result<Start, StartError> {
        let Some(StoredSession { events, .. }) = self.stored(&begun.session_id).await? else {
            return self.start(begun, wanted, signal).await;
        };
        let mut known = Learned::default();
        events.iter().for_each(|event| known.learn(event));
        let entered = events.iter().any(|event| enters(event, &begun.message_id));
        drop(events);
        if let Some(verdict) = verdict(known.reason.as_ref()).filter(|_| entered) {
            return Ok(Start::Over(verdict, known));
        }
        let agent = self.resume(&begun.session_id, signal).await?;
        // The task may wait in the inbox, where nothing but another message would wake it; it is taken out and sent anew.
        agent.cancel(AbortCause::User, KeepInbox::No);
        let input = if entered { self.reminder() } else { task(begun) };
        known.reason = None;
        Ok(Start::Ready(Started { agent, input, known }))
    }

    async fn stored(&self, id: &SessionId) -> Result<Option<StoredSession>, PersistenceError> {
        match &self.persistence {
            Some(persistence) if persistence.exists(id.clone()).await? => persistence.load(id.clone()).await.map(Some),
            _ => Ok(None),
        }
    }

    async fn resume(&self, id: &SessionId, signal: &CancellationToken) -> Result<Arc<dyn Agent>, AgentFailure> {
        self.agents.resume(ResumeAgent { session_id: id.clone(), options: self.options(), signal: signal.clone() }).await
    }

    fn options(&self) -> AgentOptions {
        AgentOptions {
            provider: Some(self.default_model.provider.clone()),
            model: Some(self.default_model.model.clone()),
            ..AgentOptions::default()
        }
    }

    fn reminder(&self) -> Arc<Message> {
        let source = PluginSource {
            plugin: "headless".to_owned(),
            form: Some("notice".to_owned()),
            sections: None,
            summary: Some("The run goes on".into()),
        };
        let id = MessageId::from(self.cx.ids().uuid());
        Arc::new(Message::user(id, vec![ContentBlock::text(GO_ON)], MessageSource::Plugin(source)))
    }

    /// The directory to work in, with its real path.
    fn workdir(&self, named: Option<&Path>) -> Result<String, StartError> {
        let environment = self.cx.environment();
        let named = named.or_else(|| environment.var_os("DSH_CWD").map(Path::new));
        let path = named.map_or_else(|| environment.cwd().to_owned(), |named| environment.cwd().join(named));
        let real = path.canonicalize().and_then(|real| std::fs::read_dir(&real).map(|_| real));
        let real = real.map_err(|source| StartError::Workdir { path, source })?;
        real.into_os_string().into_string().map_err(|path| StartError::NotUnicode(path.into()))
    }
}

/// The verdict that the log of a run holds; none when the run can go on.
fn verdict(reason: Option<&TurnEndReason>) -> Option<Verdict> {
    let reason = reason?;
    let verdict = Verdict::of(Some(reason));
    let given_up = matches!(reason, TurnEndReason::Aborted { .. } | TurnEndReason::Interrupted);
    if given_up || !verdict.outcome.is_final() { None } else { Some(verdict) }
}

fn task(begun: &Begun) -> Arc<Message> {
    Arc::new(Message::user(begun.message_id.clone(), vec![ContentBlock::text(begun.task.as_str())], MessageSource::User))
}
