//! Opens bash sessions.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use dsh_runtime::{BoxFuture, CancellationToken, PluginContext};
use dsh_sandbox_policy::{SandboxMode, SandboxPolicy};
use dsh_subprocess::{LineMode, Subprocess, TerminalSpec};
use dsh_terminal::{BackendRequest, Dialogue, ScrollbackLimits, TerminalBackend, TerminalError, TerminalSession};

use crate::config::Config;
use crate::pump::{self, Printed};
use crate::session::BashSession;
use crate::shell_environment;

/// Arguments of the shell: no files of the user, interactive.
const ARGUMENTS: [&str; 3] = ["--noprofile", "--norc", "-i"];
/// Keeps a shell that a program drives from treating its input as keys of an editor.
const WITHOUT_EDITOR: &str = "--noediting";
/// What a session that a program drives keeps: output that comes while nobody reads.
const SCRIPTED_LIMITS: ScrollbackLimits = ScrollbackLimits { lines: 1_000, bytes: 64 * 1024 };

/// Opens bash sessions.
pub struct BashBackend {
    cx: PluginContext,
    config: Arc<Config>,
    subprocess: Arc<dyn Subprocess>,
    policy: Arc<dyn SandboxPolicy>,
}

impl BashBackend {
    /// A backend of the row `cx`.
    pub fn new(cx: &PluginContext, config: Config, subprocess: Arc<dyn Subprocess>, policy: Arc<dyn SandboxPolicy>) -> Self {
        Self { cx: cx.clone(), config: Arc::new(config), subprocess, policy }
    }

    fn spec(&self, request: &BackendRequest, cancel: &CancellationToken) -> Result<TerminalSpec, TerminalError> {
        let policy = self.policy.policy_for(request.agent.session());
        if policy.mode != SandboxMode::DangerFullAccess {
            return Err(TerminalError::SandboxUnavailable(format!(
                "the shell was not started: the sandbox mode is `{}`, and nothing in this composition can confine a shell",
                policy.mode
            )));
        }
        let arguments = self.config.shell_args.clone().unwrap_or_else(|| default_arguments(request.dialogue));
        let argv = std::iter::once(self.config.shell_path.clone().into_os_string()).chain(arguments.into_iter().map(OsString::from));
        Ok(TerminalSpec {
            argv: argv.collect(),
            cwd: request.cwd.clone().unwrap_or(policy.workspace_root),
            environment: shell_environment::changes(request, self.cx.environment()),
            rows: self.config.rows,
            cols: self.config.cols,
            line_mode: match request.dialogue {
                Dialogue::Interactive => LineMode::Edited,
                Dialogue::Scripted => LineMode::Direct,
            },
            grace: Duration::from_millis(self.config.dispose_grace_ms),
            cancel: cancel.clone(),
        })
    }
}

fn default_arguments(dialogue: Dialogue) -> Vec<String> {
    let without_editor = (dialogue == Dialogue::Scripted).then_some(WITHOUT_EDITOR);
    // Long options come first.
    without_editor.into_iter().chain(ARGUMENTS).map(str::to_owned).collect()
}

impl TerminalBackend for BashBackend {
    fn open(&self, request: BackendRequest) -> BoxFuture<'_, Result<Arc<dyn TerminalSession>, TerminalError>> {
        Box::pin(async move {
            // Ends the shell when this future is dropped before the session is handed over.
            let abandoned = CancellationToken::new();
            let spec = self.spec(&request, &abandoned)?;
            let guard = abandoned.drop_guard();
            let terminal = self.subprocess.open_terminal(spec).await?;
            let limits = match request.dialogue {
                Dialogue::Interactive => ScrollbackLimits { lines: self.config.scrollback_lines, bytes: self.config.scrollback_max_bytes },
                Dialogue::Scripted => SCRIPTED_LIMITS,
            };
            let printed = Arc::new(Printed::new(limits));
            self.cx.spawn(pump::run(Arc::clone(&printed), Arc::clone(&terminal.process), terminal.output));
            let session = BashSession::new(Arc::clone(&self.config), terminal.process, printed);
            let session = match request.dialogue {
                Dialogue::Interactive => session.ready().await?,
                Dialogue::Scripted => session,
            };
            guard.disarm();
            Ok(Arc::new(session) as Arc<dyn TerminalSession>)
        })
    }
}
