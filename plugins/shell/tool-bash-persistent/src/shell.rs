//! One agent's shell.

use std::path::PathBuf;
use std::sync::Arc;

use dsh_agent::Agent;
use dsh_runtime::CancellationToken;
use dsh_terminal::{Dialogue, OpenRequest, TerminalError, TerminalId, Terminals};

use crate::captured::CapturedText;
use crate::config::Config;
use crate::script::{self, MarkerOutput};
use crate::watch::{Event, Watch};

/// A shell that waits for the next command.
pub struct Shell {
    terminal: TerminalId,
    output: MarkerOutput,
}

/// A command that was run.
pub struct Run {
    /// What it printed.
    pub captured: CapturedText,
    /// Whether it was begun at all.
    pub started: bool,
    /// How it ended.
    pub ending: Ending,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this; the shell waits for the next one.
    Status {
        /// Its status.
        code: i32,
        /// It was interrupted, because it waited for input.
        interrupted: bool,
    },
    /// In another way, after which the shell cannot be used.
    ShellLost(Event),
}

/// Why there is no shell.
#[derive(Debug)]
pub enum OpenFailure {
    /// The terminal.
    Terminal(TerminalError),
    /// The shell did not answer.
    NoAnswer(Event),
}

/// What a shell runs for and with.
pub struct Setting<'a> {
    /// Holds the terminals.
    pub terminals: &'a Terminals,
    /// Whose shell it is.
    pub agent: &'a Arc<dyn Agent>,
    /// The row's config.
    pub config: &'a Config,
    /// Cancelled when the caller gives up.
    pub signal: &'a CancellationToken,
}

impl Shell {
    /// Starts a shell in the folder of the agent's session.
    pub async fn open(setting: &Setting<'_>, nonce: &str) -> Result<Self, OpenFailure> {
        let cwd = setting.agent.session().header().cwd.as_ref().map(PathBuf::from);
        let request = OpenRequest { backend: setting.config.backend_type.clone(), name: None, cwd, dialogue: Dialogue::Scripted };
        let opened = tokio::select! {
            biased;
            () = setting.signal.cancelled() => return Err(OpenFailure::NoAnswer(Event::Aborted)),
            opened = setting.terminals.open(setting.agent, request) => opened.map_err(OpenFailure::Terminal)?,
        };
        let mut shell = Self { terminal: opened.id, output: MarkerOutput::Output };
        match shell.watch(setting, nonce, script::probe(nonce)).await {
            Ok((_, Event::Finished(status))) => {
                if status == 0 {
                    shell.output = MarkerOutput::Terminal;
                }
                Ok(shell)
            }
            Ok((_, event)) => {
                shell.close(setting).await;
                Err(OpenFailure::NoAnswer(event))
            }
            Err(error) => {
                shell.close(setting).await;
                Err(OpenFailure::Terminal(error))
            }
        }
    }

    /// Runs a command.
    pub async fn run(&self, setting: &Setting<'_>, command: &str, nonce: &str) -> Result<Run, TerminalError> {
        let (mut watch, mut event) = self.watch(setting, nonce, script::line(command, nonce, self.output)).await?;
        let interrupted = event == Event::WaitsForInput;
        if interrupted {
            event = watch.interrupt().await;
        }
        let ending = match event {
            Event::Finished(code) => Ending::Status { code, interrupted },
            lost => Ending::ShellLost(lost),
        };
        let started = watch.started();
        Ok(Run { captured: watch.finish(), started, ending })
    }

    /// Ends the shell and all that it started.
    pub async fn close(self, setting: &Setting<'_>) {
        if let Err(error) = setting.terminals.close(setting.agent, self.terminal).await {
            tracing::error!(%error, "a shell was not closed");
        }
    }

    async fn watch<'a>(&self, setting: &Setting<'a>, nonce: &str, line: String) -> Result<(Watch<'a>, Event), TerminalError> {
        let terminal = setting.terminals.attach(setting.agent, self.terminal)?;
        let config = setting.config;
        let mut watch = Watch::new(terminal, nonce, config.max_output_chars, config.timeout_ms, setting.signal);
        let event = match watch.type_line(line).await {
            Ok(()) => watch.wait().await,
            Err(event) => event,
        };
        Ok((watch, event))
    }
}
