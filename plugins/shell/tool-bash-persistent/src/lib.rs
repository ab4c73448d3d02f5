//! The `bash` tool whose shell persists: folder, variables, functions and background jobs live as long as their agent.

mod captured;
mod config;
mod marker_scan;
mod reply;
mod script;
mod shell;
mod shells;
mod watch;

use std::sync::Arc;

use dsh_runtime::{Inject, MountError, PluginContext, plugin};
use dsh_terminal::Terminals;
use dsh_tools::{ToolCall, ToolError, ToolOutput, tool_args};

pub use config::Config;

use crate::shell::{Ending, Setting, Shell};
use crate::shells::Shells;

/// What the tool needs.
#[derive(Inject)]
pub struct Inject {
    /// Opens the shells.
    pub terminals: Arc<Terminals>,
}

/// A command for the shell.
#[tool_args]
pub struct BashArgs {
    /// The command to run; it may have several lines.
    pub command: String,
}

/// Runs commands in one shell per agent.
pub struct ToolBashPersistent {
    cx: PluginContext,
    config: Config,
    terminals: Arc<Terminals>,
    shells: Shells,
}

#[plugin]
impl ToolBashPersistent {
    /// Starts nothing: an agent's shell is opened at its first call.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        Ok(Self { cx: cx.clone(), config, terminals: inject.terminals, shells: Shells::default() })
    }

    fn tool_description(config: &Config) -> String {
        config.description.clone()
    }

    #[tool(name = "bash", render = terminal, describe = tool_description)]
    async fn bash(&self, args: BashArgs, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        let agent = call.agent.as_ref().ok_or_else(|| ToolError::plain("`bash` runs in the shell of an agent, and this call has none"))?;
        if args.command.trim().is_empty() {
            return Err(ToolError::plain("`command` is blank"));
        }
        if args.command.contains('\0') {
            return Err(ToolError::plain("`command` holds a NUL character, which a shell cannot take"));
        }
        let held = self.shells.of(agent);
        // Calls of one agent take turns.
        let mut held = tokio::select! {
            held = held.lock() => held,
            () = call.signal.cancelled() => return Err(ToolError::aborted()),
        };
        let setting = Setting { terminals: &self.terminals, agent, config: &self.config, signal: &call.signal };
        let shell = match held.take() {
            Some(shell) => shell,
            None => Shell::open(&setting, &self.nonce()).await.map_err(|failure| failed(reply::failure(&failure)))?,
        };
        match shell.run(&setting, &args.command, &self.nonce()).await {
            Ok(run) => {
                match run.ending {
                    Ending::Status { .. } => *held = Some(shell),
                    Ending::ShellLost(_) => shell.close(&setting).await,
                }
                reply::text(run, &self.config).map(ToolOutput::text).ok_or_else(ToolError::aborted)
            }
            Err(error) => {
                shell.close(&setting).await;
                Err(failed(Some(error.to_string())))
            }
        }
    }

    /// What marks the output of one command. A command cannot know it before it is typed.
    fn nonce(&self) -> String {
        self.cx.ids().uuid()
    }
}

fn failed(reason: Option<String>) -> ToolError {
    reason.map_or_else(ToolError::aborted, ToolError::plain)
}
