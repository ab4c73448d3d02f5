//! One task from its first word to its answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dsh_agent::{Agent, AgentFailure, AgentOptions, CreateAgent, InboxFailure, KeepInbox};
use dsh_json::JsString;
use dsh_message::{ContentBlock, Message, MessageId, MessageSource, SessionId};
use dsh_runtime::{CancellationToken, Exit, Output, ServeSession};
use dsh_session::NewSession;
use dsh_session::catalogue::AbortCause;

use crate::arguments::{self, Asked};
use crate::plugin::Headless;
use crate::printing::{print, show, tell};
use crate::verdict::Verdict;
use crate::watch::{Learned, Watch};

/// How long a standard stream that nobody reads may hold up the end.
const STREAM_LIMIT: Duration = Duration::from_secs(2);

/// Why a task did not start.
#[derive(Debug, thiserror::Error)]
enum StartError {
    #[error("the working directory cannot be used: {}: {source}", path.display())]
    Workdir { path: PathBuf, source: std::io::Error },
    #[error("the working directory is not Unicode: {}", .0.display())]
    NotUnicode(PathBuf),
    #[error(transparent)]
    Agent(#[from] AgentFailure),
}

impl Headless {
    /// Does what the words ask for.
    pub(crate) async fn do_words(&self, words: Vec<String>, session: ServeSession) -> Exit {
        let ServeSession { mut output, mut errors, shutdown, .. } = session;
        let arguments = match arguments::read(words) {
            Ok(Asked::Run(arguments)) => arguments,
            Ok(Asked::Help(text)) => {
                tell(&mut output, &text).await;
                return Exit::COMPLETED;
            }
            Err(text) => {
                tell(&mut errors, &text).await;
                return Exit::USAGE;
            }
        };
        let agent = match self.start(arguments.workdir.as_deref(), &shutdown).await {
            Ok(agent) => agent,
            Err(error) => {
                tell(&mut errors, &format!("dsh: {error}\n")).await;
                return Exit::ENVIRONMENT;
            }
        };
        let (watch, progress) = Watch::new(agent.id().clone());
        let watch = Arc::new(watch);
        self.watch(Some(Arc::clone(&watch)));
        let mut showing = self.cx.spawn(show(errors, progress));
        let verdict = self.work(&agent, arguments.task, &shutdown).await;
        self.watch(None);
        let learned = watch.learned().clone();
        // With the last handle on the watch the progress ends.
        drop(watch);
        let errors = match tokio::time::timeout(STREAM_LIMIT, &mut showing).await {
            Ok(errors) => errors.ok(),
            Err(_) => {
                showing.abort();
                None
            }
        };
        let exit = self.report(&agent, verdict.unwrap_or_else(|| Verdict::of(learned.reason.as_ref())), learned, output, errors).await;
        agent.dispose().await;
        exit
    }

    /// Makes the agent.
    async fn start(&self, workdir: Option<&Path>, shutdown: &CancellationToken) -> Result<Arc<dyn Agent>, StartError> {
        let cwd = self.workdir(workdir)?;
        let options = AgentOptions {
            provider: Some(self.default_model.provider.clone()),
            model: Some(self.default_model.model.clone()),
            ..AgentOptions::default()
        };
        let request = CreateAgent {
            session_id: SessionId::from(format!("session-{}", self.cx.ids().uuid())),
            session: NewSession { cwd: Some(cwd), ..NewSession::default() },
            seed: None,
            options,
            signal: shutdown.clone(),
        };
        Ok(self.agents.create(request).await?)
    }

    /// The directory to work in, with its real path.
    fn workdir(&self, named: Option<&Path>) -> Result<String, StartError> {
        let environment = self.cx.environment();
        let named = named.or_else(|| environment.var_os("DSH_CWD").filter(|path| !path.is_empty()).map(Path::new));
        let path = named.map_or_else(|| environment.cwd().to_owned(), |named| environment.cwd().join(named));
        let real = path.canonicalize().and_then(|real| std::fs::read_dir(&real).map(|_| real));
        let real = real.map_err(|source| StartError::Workdir { path, source })?;
        real.into_os_string().into_string().map_err(|path| StartError::NotUnicode(path.into()))
    }

    /// Gives the agent its task and waits until it is done. Yields the verdict where the log does not hold it.
    async fn work(&self, agent: &Arc<dyn Agent>, task: String, shutdown: &CancellationToken) -> Option<Verdict> {
        let message = Message::user(MessageId::from(self.cx.ids().uuid()), vec![ContentBlock::text(task)], MessageSource::User);
        let sent: Result<(), InboxFailure> = agent.followup(Arc::new(message));
        if let Err(error) = sent {
            return Some(Verdict::refused(&error));
        }
        tokio::select! {
            () = agent.when_idle() => return None,
            () = shutdown.cancelled() => {}
        }
        agent.cancel(AbortCause::User, KeepInbox::No);
        agent.when_idle().await;
        Some(Verdict::interrupted())
    }

    /// Makes the record durable and says what came of the task.
    async fn report(
        &self,
        agent: &Arc<dyn Agent>,
        verdict: Verdict,
        Learned { answer, .. }: Learned,
        mut output: Output,
        errors: Option<Output>,
    ) -> Exit {
        let answer = answer.filter(|answer| verdict.answered && !answer.is_blank());
        let Verdict { mut exit, mut said, .. } = if answer.is_some() { verdict } else { verdict.without_answer() };
        let mut unless_worse = |problem: String| {
            if exit == Exit::COMPLETED {
                exit = Exit::ENVIRONMENT;
            }
            said = Some(said.take().map_or(problem.clone(), |said| format!("{said}\ndsh: {problem}")));
        };
        if let Err(error) = self.sessions.flush(agent.session()).await {
            unless_worse(format!("the record of the run may be incomplete: {error}"));
        }
        if let Some(Err(error)) = answer_printed(&mut output, answer).await {
            unless_worse(format!("the answer was not printed: {error}"));
        }
        let mut told = said.map_or_else(String::new, |said| format!("dsh: {said}\n"));
        if let Some(persistence) = &self.persistence
            && let Some(path) = persistence.locate(agent.id().clone()).await
        {
            told += &format!("log: {}\n", path.display());
        }
        if let Some(mut errors) = errors
            && tokio::time::timeout(STREAM_LIMIT, tell(&mut errors, &told)).await.is_err()
        {
            tracing::debug!("nobody reads standard error");
        }
        exit
    }
}

async fn answer_printed(output: &mut Output, answer: Option<JsString>) -> Option<std::io::Result<()>> {
    match answer {
        Some(answer) => Some(print(output, &format!("{}\n", answer.to_lossy())).await),
        None => None,
    }
}
