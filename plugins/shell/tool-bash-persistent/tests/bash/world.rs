//! A composition with the tool.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use dsh_agent::Agent;
use dsh_runtime::{CancellationToken, Mounted, NoConfig, NoInject};
use dsh_sandbox_policy::{Policy, SandboxMode, SandboxPolicy};
use dsh_session::Session;
use dsh_subprocess_local::SubprocessLocal;
use dsh_terminal::Terminals;
use dsh_terminal_bash::TerminalBash;
use dsh_testkit::{Harness, TestAgent, call_request, run_call};
use dsh_tool_bash_persistent::{Config, Inject, ToolBashPersistent};
use dsh_tools::{SettledCall, Tools};
use serde_json::json;

/// Longest time that a test waits for something that must happen.
pub const PATIENCE: Duration = Duration::from_secs(20);

struct FixedPolicy(SandboxMode);

impl SandboxPolicy for FixedPolicy {
    fn policy_for(&self, _session: &Session) -> Policy {
        self.default_policy()
    }

    fn default_policy(&self) -> Policy {
        Policy { mode: self.0, workspace_root: PathBuf::from("/"), session_id: None, temp_dir: PathBuf::from("/tmp") }
    }
}

/// The defaults, with another time limit.
pub fn config(timeout_ms: u64) -> Config {
    Config { backend_type: "shell".to_owned(), timeout_ms, max_output_chars: 16_000, description: "Runs.".to_owned() }
}

pub struct World {
    harness: Harness,
    pub tools: Arc<Tools>,
    pub terminals: Arc<Terminals>,
    pub agent: Arc<dyn Agent>,
}

impl World {
    /// With a time limit that no test reaches.
    pub async fn new() -> Self {
        Self::with(config(60_000), SandboxMode::DangerFullAccess).await
    }

    pub async fn with(config: Config, mode: SandboxMode) -> Self {
        let mut harness = Harness::with_environment([
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("LANG", "C.UTF-8"),
            ("DEEPSEEK_API_KEY", "hidden"),
            ("DSH_MODEL", "hidden"),
        ]);
        let tools = Arc::clone(&harness.tooling().await.tools);
        let subprocess = harness.mount::<SubprocessLocal>("subprocess", NoConfig {}, NoInject {}).await.plugin();
        let terminals = harness.mount::<Terminals>("pty", NoConfig {}, dsh_terminal::Inject { agents: None }).await.plugin();
        let sandbox_policy = Arc::new(FixedPolicy(mode));
        let inject = dsh_terminal_bash::Inject { terminals: Arc::clone(&terminals), subprocess, sandbox_policy };
        harness.mount::<TerminalBash>("terminal-bash", backend_config(), inject).await;
        let inject = Inject { terminals: Arc::clone(&terminals) };
        let mounted: Mounted<ToolBashPersistent> = harness.mount("persistent-bash", config, inject).await;
        tools.contribute(&mounted).expect("the tool is accepted");
        let folder = harness.folder().canonicalize().expect("it is there");
        let agent = TestAgent::new(&mut harness, folder).await;
        Self { harness, tools, terminals, agent }
    }

    /// Another agent in the same folder.
    pub async fn another_agent(&mut self) -> Arc<dyn Agent> {
        let folder = self.folder();
        TestAgent::new(&mut self.harness, folder).await
    }

    pub fn folder(&self) -> PathBuf {
        self.harness.folder().canonicalize().expect("it is there")
    }

    /// What the model reads of a call that succeeds.
    pub async fn run(&self, command: &str) -> String {
        let result = self.call(&self.agent, command, CancellationToken::new()).await;
        assert!(!result.is_error, "{}", text(&result));
        text(&result)
    }

    /// What the model reads of a call that fails.
    pub async fn fail(&self, command: &str) -> String {
        let result = self.call(&self.agent, command, CancellationToken::new()).await;
        assert!(result.is_error, "{}", text(&result));
        text(&result)
    }

    pub async fn call(&self, agent: &Arc<dyn Agent>, command: &str, signal: CancellationToken) -> SettledCall {
        let request = call_request(Arc::clone(agent), "bash", &json!({ "command": command }));
        run_call(&self.tools, dsh_tools::CallRequest { signal, ..request }).await
    }

    /// Tears all rows down; nothing may be left over.
    pub async fn close(self) {
        self.harness.teardown().await;
    }
}

/// The defaults of the backend.
fn backend_config() -> dsh_terminal_bash::Config {
    dsh_terminal_bash::Config {
        backend_type: "shell".to_owned(),
        shell_path: PathBuf::from("/bin/bash"),
        shell_args: None,
        rows: 40,
        cols: 160,
        scrollback_lines: 10_000,
        scrollback_max_bytes: 4_194_304,
        max_read_bytes: 262_144,
        poll_interval_ms: 50,
        exact_probe_after_ms: 150,
        idle_silence_ms: 3_000,
        handoff_grace_ms: 500,
        timeout_ms: 30_000,
        dispose_grace_ms: 500,
    }
}

pub fn text(result: &SettledCall) -> String {
    let blocks = result.content.iter().map(|block| match block {
        dsh_message::ContentBlock::Text(text) => text.to_lossy().into_owned(),
        other => panic!("not a text: {other:?}"),
    });
    blocks.collect::<Vec<_>>().join("")
}

/// A duration for `sleep` that no other process uses, by which its processes are found.
pub fn unique_sleep() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("9{}.{:03}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// How many processes sleep for `duration`. What is about to become such a process does not count.
pub fn sleepers(duration: &str) -> usize {
    let line = format!("sleep\0{duration}\0");
    let entries = fs::read_dir("/proc").expect("a process table").flatten();
    entries.filter(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(|found| found == line.as_bytes())).count()
}

/// Waits until `condition` holds, looking at it again and again, since the process table announces nothing.
pub async fn becomes_true(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
