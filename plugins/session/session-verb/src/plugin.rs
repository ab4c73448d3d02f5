//! The plugin.

use std::sync::Arc;

use dsh_message::SessionId;
use dsh_runtime::{Exit, Inject, MountError, Output, PluginContext, ServeSession, Usage, plugin};
use dsh_session::SessionStore;
use dsh_session_persistence::SessionPersistence;
use tokio::io::AsyncWriteExt;

use crate::arguments::{self, Asked};
use crate::{forking, listing, telling, visible};

/// What the verb works with.
#[derive(Inject)]
pub struct Inject {
    /// Where forks are made.
    pub sessions: Arc<SessionStore>,
    /// What is stored.
    pub persistence: Arc<dyn SessionPersistence>,
}

/// Answers questions about stored sessions, and forks them.
pub struct SessionVerb {
    cx: PluginContext,
    sessions: Arc<SessionStore>,
    persistence: Arc<dyn SessionPersistence>,
}

/// What is told: on standard output, and on standard error.
struct Told {
    output: String,
    errors: String,
}

#[plugin()]
impl SessionVerb {
    /// Mounts it; nothing is read yet.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        let Inject { sessions, persistence } = inject;
        Ok(Self { cx: cx.clone(), sessions, persistence })
    }

    /// Lists, shows and forks stored sessions.
    #[verb(name = "session", about = "Lists, shows and forks stored sessions", usage = look_at)]
    async fn session(&self, words: Vec<String>, mut session: ServeSession) -> Exit {
        let (exit, told) = match arguments::read(&words) {
            Err(error) if error.use_stderr() => (Exit::USAGE, Told { output: String::new(), errors: error.to_string() }),
            Err(help) => (Exit::COMPLETED, Told { output: help.to_string(), errors: String::new() }),
            Ok(asked) => tokio::select! {
                answered = self.answer(asked) => match answered {
                    Ok(told) => (Exit::COMPLETED, told),
                    Err(error) => {
                        let errors = format!("dsh: {}\n", visible::line(&error.to_string()));
                        (Exit::ENVIRONMENT, Told { output: String::new(), errors })
                    }
                },
                () = session.shutdown.cancelled() => return Exit::GAVE_UP,
            },
        };
        let printed = print(&mut session.output, &told.output).await;
        let said = match &printed {
            Ok(()) => told.errors,
            Err(error) => told.errors + &format!("dsh: the answer was not printed: {error}\n"),
        };
        // Where nobody can be told, there is nothing else to do.
        let _ = print(&mut session.errors, &said).await;
        if printed.is_err() && exit == Exit::COMPLETED { Exit::ENVIRONMENT } else { exit }
    }

    /// Whether the words are right, without anything mounted.
    fn look_at(words: &[String]) -> Usage {
        Usage::of(arguments::read(words))
    }
}

impl SessionVerb {
    async fn answer(&self, asked: Asked) -> Result<Told, Box<dyn std::error::Error + Send + Sync>> {
        let store = &*self.persistence;
        let plain = |output| Told { output, errors: String::new() };
        match asked {
            Asked::List => {
                let (output, errors) = listing::list(store).await?;
                Ok(Told { output, errors })
            }
            Asked::Show(id) => Ok(plain(telling::show(store, id).await?)),
            Asked::Fork { id, at } => {
                let new = SessionId::from(format!("session-{}", self.cx.ids().uuid()));
                let events = forking::fork(store, &self.sessions, (id.clone(), at), new.clone()).await?;
                Ok(Told { output: format!("{new}\n"), errors: format!("forked from {id}: its first {events} events\n") })
            }
        }
    }
}

async fn print(output: &mut Output, text: &str) -> std::io::Result<()> {
    output.write_all(text.as_bytes()).await?;
    output.flush().await
}
