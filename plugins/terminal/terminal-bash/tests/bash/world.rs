//! A composition with the backend and one agent.

use std::path::PathBuf;
use std::sync::Arc;

use dsh_agent::Agent;
use dsh_runtime::boot::BootError;
use dsh_runtime::{CancellationToken, NoConfig, NoInject};
use dsh_sandbox_policy::{Policy, SandboxMode, SandboxPolicy};
use dsh_session::Session;
use dsh_subprocess_local::SubprocessLocal;
use dsh_terminal::{Dialogue, OpenRequest, OpenedTerminal, SendOutcome, SendRequest, TerminalError, TerminalId, Terminals};
use dsh_terminal_bash::{Config, Inject, TerminalBash};
use dsh_testkit::{Harness, TestAgent};

/// A policy that is the same for everybody.
pub struct FixedPolicy(pub SandboxMode);

impl SandboxPolicy for FixedPolicy {
    fn policy_for(&self, session: &Session) -> Policy {
        Policy { session_id: Some(session.header().id.clone()), ..self.default_policy() }
    }

    fn default_policy(&self) -> Policy {
        Policy { mode: self.0, workspace_root: PathBuf::from("/usr"), session_id: None, temp_dir: PathBuf::from("/tmp") }
    }
}

/// Short times, so that a test is fast.
pub fn config() -> Config {
    Config {
        backend_type: "shell".to_owned(),
        shell_path: PathBuf::from("/bin/bash"),
        shell_args: None,
        rows: 40,
        cols: 160,
        scrollback_lines: 1000,
        scrollback_max_bytes: 100_000,
        max_read_bytes: 10_000,
        poll_interval_ms: 10,
        exact_probe_after_ms: 20,
        idle_silence_ms: 10_000,
        handoff_grace_ms: 400,
        timeout_ms: 15_000,
        dispose_grace_ms: 500,
    }
}

pub struct World {
    pub harness: Harness,
    pub terminals: Arc<Terminals>,
    pub agent: Arc<dyn Agent>,
}

impl World {
    pub async fn new() -> Self {
        Self::with(config(), SandboxMode::DangerFullAccess).await.expect("it mounts")
    }

    pub async fn with(config: Config, mode: SandboxMode) -> Result<Self, BootError> {
        let mut harness = Harness::with_environment([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("SOME_TOKEN", "hidden"), ("TMOUT", "1")]);
        let subprocess = harness.mount::<SubprocessLocal>("subprocess", NoConfig {}, NoInject {}).await.plugin();
        let terminals = harness.mount::<Terminals>("pty", NoConfig {}, dsh_terminal::Inject { agents: None }).await.plugin();
        let sandbox_policy = Arc::new(FixedPolicy(mode));
        let inject = Inject { terminals: Arc::clone(&terminals), subprocess, sandbox_policy };
        harness.try_mount::<TerminalBash>("terminal-bash", config, inject).await?;
        let folder = harness.folder().canonicalize().expect("it is there");
        let agent = TestAgent::new(&mut harness, folder).await;
        Ok(Self { harness, terminals, agent })
    }

    pub fn request(&self) -> OpenRequest {
        let cwd = self.harness.folder().canonicalize().expect("it is there");
        OpenRequest { backend: "shell".to_owned(), name: None, cwd: Some(cwd), dialogue: Dialogue::Interactive }
    }

    pub async fn open(&self) -> OpenedTerminal {
        self.terminals.open(&self.agent, self.request()).await.expect("it opens")
    }

    pub async fn send(&self, id: TerminalId, text: &str) -> SendOutcome {
        self.try_send(id, text, true, CancellationToken::new()).await.expect("it is sent")
    }

    pub async fn try_send(
        &self,
        id: TerminalId,
        text: &str,
        submit: bool,
        cancel: CancellationToken,
    ) -> Result<SendOutcome, TerminalError> {
        self.terminals.send(&self.agent, id, SendRequest { text: text.to_owned(), submit }, cancel).await
    }
}
