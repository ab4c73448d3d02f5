//! The plugin: one agent, one task, one answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_agent::{Agent, AgentOptions, Agents, CreateAgent, KeepInbox};
use dsh_agent_default_model::AgentDefaultModel;
use dsh_message::{ContentBlock, Message, MessageSource, SessionId};
use dsh_runtime::{Exit, Inject, MountError, Output, PluginContext, ServeSession, plugin};
use dsh_session::catalogue::{AbortCause, TurnEndReason};
use dsh_session::{Appended, NewSession, SessionEventAppended, SessionStore};
use dsh_session_persistence::SessionPersistence;
use tokio::io::AsyncWriteExt;

use crate::command::{Instead, RunCommand, read};
use crate::progress::Progress;
use crate::{ending, narration};

/// What a run needs.
#[derive(Inject)]
pub struct Inject {
    /// Makes the agent.
    pub agents: Arc<Agents>,
    /// Makes the session durable at the end.
    pub sessions: Arc<SessionStore>,
    /// The agent's model.
    pub default_model: Arc<AgentDefaultModel>,
    /// Tells where the log lies.
    pub persistence: Option<Arc<dyn SessionPersistence>>,
}

/// Runs one task.
pub struct Headless {
    cx: PluginContext,
    inject: Inject,
    progress: Progress,
}

/// Runs one task from the command line.
#[plugin()]
impl Headless {
    /// Mounts it; nothing runs before the verb.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        Ok(Self { cx: cx.clone(), inject, progress: Progress::default() })
    }

    /// Hears what the run does.
    #[on(SessionEventAppended)]
    pub fn hear(&self, appended: &Appended) {
        self.progress.hear(appended);
    }

    /// `run "task"`.
    #[verb(name = "run", about = "Run one task, then print the answer")]
    pub async fn run(&self, words: Vec<String>, mut session: ServeSession) -> Exit {
        let command = match read(&words) {
            Ok(command) => command,
            Err(Instead::Help(text)) => return print(&mut session.output, &text, Exit::COMPLETED).await,
            Err(Instead::Usage(text)) => return print(&mut session.errors, &text, Exit::USAGE).await,
        };
        match self.start(&command).await {
            Ok(agent) => self.follow(agent, &command.task, session).await,
            Err((exit, text)) => print(&mut session.errors, &format!("{text}\n"), exit).await,
        }
    }
}

impl Headless {
    async fn start(&self, command: &RunCommand) -> Result<Arc<dyn Agent>, (Exit, String)> {
        let cwd = self.workdir(command)?;
        let AgentDefaultModel { provider, model } = (*self.inject.default_model).clone();
        let request = CreateAgent {
            session_id: SessionId::from(format!("session-{}", self.cx.ids().uuid())),
            session: NewSession { cwd: Some(cwd.to_string_lossy().into_owned()), ..NewSession::default() },
            seed: None,
            options: AgentOptions { provider: Some(provider), model: Some(model), ..AgentOptions::default() },
            signal: self.cx.shutdown().clone(),
        };
        self.inject.agents.create(request).await.map_err(|error| (Exit::ENVIRONMENT, format!("the agent was not made: {error}")))
    }

    fn workdir(&self, command: &RunCommand) -> Result<PathBuf, (Exit, String)> {
        let environment = self.cx.environment();
        let given = command.workdir.clone().or_else(|| environment.var_os("DSH_CWD").map(PathBuf::from));
        let folder = environment.cwd().join(given.unwrap_or_default());
        match std::fs::metadata(&folder) {
            Ok(found) if found.is_dir() => Ok(folder),
            Ok(_) => Err((Exit::ENVIRONMENT, format!("`{}` is no folder to work in", folder.display()))),
            Err(error) => Err((Exit::ENVIRONMENT, format!("the folder `{}` cannot be used: {error}", folder.display()))),
        }
    }

    async fn follow(&self, agent: Arc<dyn Agent>, task: &str, session: ServeSession) -> Exit {
        let ServeSession { mut output, errors, shutdown, .. } = session;
        let mut events = self.progress.watch(agent.id().clone());
        let narrator = self.cx.spawn(async move {
            let mut errors = errors;
            while let Some(event) = events.recv().await {
                for line in narration::lines(&event) {
                    // Nobody reads stderr: the run goes on.
                    let _ = errors.write_all(format!("{line}\n").as_bytes()).await;
                }
                let _ = errors.flush().await;
            }
            errors
        });
        let message = Message::user(self.cx.ids().uuid().into(), vec![ContentBlock::text(task)], MessageSource::User);
        let sent = agent.followup(Arc::new(message));
        tokio::select! {
            () = agent.when_idle() => {}
            () = shutdown.cancelled() => {
                agent.cancel(AbortCause::User, KeepInbox::No);
                agent.when_idle().await;
            }
        }
        let (answer, reason) = self.progress.end();
        let mut said = Vec::new();
        said.extend(sent.err().map(|error| format!("the task was not taken: {error}")));
        said.extend(ending::complaint(reason.as_ref()));
        let flushed = self.inject.sessions.flush(agent.session()).await;
        said.extend(flushed.as_ref().err().map(|error| format!("the log was not made durable: {error}")));
        said.extend(self.log(agent.id()).await.map(|path| format!("log: {}", path.display())));
        if let Ok(mut errors) = narrator.await {
            let lines: String = said.iter().map(|line| format!("{line}\n")).collect();
            let _ = errors.write_all(lines.as_bytes()).await;
            let _ = errors.flush().await;
        }
        let exit = if flushed.is_err() { Exit::ENVIRONMENT } else { ending::exit(reason.as_ref()) };
        // The last reply is an answer only where the model had the last word.
        match reason {
            Some(TurnEndReason::Completed | TurnEndReason::MaxTokens) => print(&mut output, &format!("{answer}\n"), exit).await,
            _ => exit,
        }
    }

    async fn log(&self, id: &SessionId) -> Option<PathBuf> {
        let path = self.inject.persistence.as_ref()?.locate(id.clone()).await?;
        Some(self.cx.environment().cwd().join(Path::new(&path)))
    }
}

/// Writes what was asked for; where it cannot be written, nobody can be told.
async fn print(output: &mut Output, text: &str, exit: Exit) -> Exit {
    let written = async {
        output.write_all(text.as_bytes()).await?;
        output.flush().await
    };
    if written.await.is_ok() { exit } else { Exit::ENVIRONMENT }
}
