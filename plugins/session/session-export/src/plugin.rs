//! The plugin.

use std::sync::Arc;

use dsh_runtime::{CancellationToken, Exit, Inject, MountError, Output, PluginContext, ServeSession, Usage, plugin};
use dsh_sandbox_policy::SandboxPolicy;
use dsh_session_persistence::SessionPersistence;
use dsh_subprocess::Subprocess;
use tokio::io::AsyncWriteExt;

use crate::arguments::{Asked, Form};
use crate::atif::{self, Maker};
use crate::error::ExportError;
use crate::prediction::{Wanted, prediction};

/// What the verb works with.
#[derive(Inject)]
pub struct Inject {
    /// What is stored.
    pub persistence: Arc<dyn SessionPersistence>,
    /// Runs git.
    pub subprocess: Arc<dyn Subprocess>,
    /// Knows how sessions are confined.
    pub sandbox_policy: Option<Arc<dyn SandboxPolicy>>,
}

/// Exports stored sessions.
pub struct SessionExport {
    cx: PluginContext,
    persistence: Arc<dyn SessionPersistence>,
    subprocess: Arc<dyn Subprocess>,
    sandbox_policy: Option<Arc<dyn SandboxPolicy>>,
}

#[plugin()]
impl SessionExport {
    /// Mounts it; nothing is read yet.
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        let Inject { persistence, subprocess, sandbox_policy } = inject;
        Ok(Self { cx: cx.clone(), persistence, subprocess, sandbox_policy })
    }

    /// Exports a stored session.
    #[verb(name = "export", about = "Writes a stored session in a form for benchmarks", usage = look_at)]
    async fn export(&self, words: Vec<String>, mut session: ServeSession) -> Exit {
        let asked = match Asked::of(&words) {
            Ok(asked) => asked,
            Err(error) => {
                // Standard error may be gone; then there is nobody to tell.
                let _ = print(&mut session.errors, &error.to_string()).await;
                return Exit::USAGE;
            }
        };
        let exported = tokio::select! {
            exported = self.answer(asked, session.shutdown.clone()) => exported,
            () = session.shutdown.cancelled() => return Exit::GAVE_UP,
        };
        let problem = match exported {
            Ok(text) => match print(&mut session.output, &text).await {
                Ok(()) => return Exit::COMPLETED,
                Err(error) => format!("the export was not written: {error}"),
            },
            Err(error) => error.to_string(),
        };
        // As above.
        let _ = print(&mut session.errors, &format!("dsh: {}\n", visible(&problem))).await;
        Exit::ENVIRONMENT
    }

    /// Whether the words are right, without anything mounted.
    fn look_at(words: &[String]) -> Usage {
        Usage::of(Asked::of(words))
    }
}

impl SessionExport {
    async fn answer(&self, Asked { session, form }: Asked, cancel: CancellationToken) -> Result<String, ExportError> {
        let store = &*self.persistence;
        match form {
            Form::Atif => atif::trajectory(store, &session, self.maker()).await,
            Form::Patch { base, instance, model } => {
                let temporary = self.cx.environment().temporary();
                let wanted = Wanted { base: &base, temporary, instance, model, program: self.maker().name };
                prediction(store, &*self.subprocess, &session, wanted, cancel).await
            }
        }
    }

    fn maker(&self) -> Maker {
        let identity = self.cx.identity();
        let composition = self.cx.surroundings().process.composition().unwrap_or_default().to_owned();
        Maker {
            name: identity.map_or_else(|| "dsh".to_owned(), |identity| format!("dsh-{}", identity.profile)),
            version: identity.map_or("0", |identity| identity.version).to_owned(),
            composition,
            sandbox: self.sandbox_policy.as_ref().map(|policy| policy.default_policy().mode),
        }
    }
}

async fn print(output: &mut Output, text: &str) -> std::io::Result<()> {
    output.write_all(text.as_bytes()).await?;
    output.flush().await
}

/// Words of git and of the system without what would control a terminal.
fn visible(text: &str) -> String {
    text.chars().map(|character| if character.is_control() && character != '\n' { '\u{fffd}' } else { character }).collect()
}
