//! A mounted row for one test, and what a test asks the process table.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use dsh_runtime::boot::Boot;
use dsh_runtime::{CancellationToken, Environment, NoConfig, NoInject, Surroundings};
use dsh_subprocess::{
    Child, ChildOutput, EnvironmentChanges, LineMode, OutputTarget, SpawnSpec, StdinSource, Subprocess, Terminal, TerminalSpec,
};
use dsh_subprocess_local::SubprocessLocal;
use tokio::io::AsyncReadExt;

/// Longest time that a test waits for something that must happen.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A mounted row and its folder.
pub struct World {
    boot: Boot,
    pub service: Arc<dyn Subprocess>,
    pub folder: tempfile::TempDir,
}

impl World {
    /// With the test's own environment.
    pub async fn new() -> Self {
        Self::with(Environment::of_process()).await
    }

    /// With an environment.
    pub async fn with(environment: Environment) -> Self {
        let surroundings = Surroundings { environment: Arc::new(environment), ..Surroundings::of_process() };
        let mut boot = Boot::new("test", surroundings);
        let mounted = boot.mount::<SubprocessLocal>(0, "subprocess", NoConfig {}, NoInject {}).await.expect("it mounts");
        Self { boot, service: mounted.plugin(), folder: tempfile::tempdir().expect("a folder") }
    }

    /// A shell command with collected output and a grace period of 300 ms.
    pub fn shell(&self, script: &str) -> SpawnSpec {
        SpawnSpec {
            argv: ["/bin/bash", "-c", script].map(OsString::from).to_vec(),
            cwd: self.folder.path().to_owned(),
            environment: EnvironmentChanges::new(),
            stdin: StdinSource::Ignore,
            stdout: OutputTarget::Collect { max_bytes: 100_000 },
            stderr: OutputTarget::Collect { max_bytes: 100_000 },
            grace: Duration::from_millis(300),
            cancel: CancellationToken::new(),
        }
    }

    /// An interactive bash without prompt on a terminal.
    pub fn bash(&self) -> TerminalSpec {
        TerminalSpec {
            argv: ["/bin/bash", "--noprofile", "--norc", "--noediting", "-i"].map(OsString::from).to_vec(),
            cwd: self.folder.path().to_owned(),
            environment: EnvironmentChanges::new().set("PS1", "").set("PS2", "").set("HISTFILE", ""),
            rows: 24,
            cols: 80,
            line_mode: LineMode::Direct,
            grace: Duration::from_millis(300),
            cancel: CancellationToken::new(),
        }
    }

    pub async fn spawn(&self, spec: SpawnSpec) -> Child {
        self.service.spawn(spec).await.expect("it starts")
    }

    pub async fn open(&self, spec: TerminalSpec) -> Screen {
        Screen { terminal: self.service.open_terminal(spec).await.expect("it opens"), seen: Vec::new() }
    }

    /// Tears the row down; nothing may be left over.
    pub async fn close(self) {
        assert_eq!(self.boot.teardown().await.failed, Vec::<String>::new());
    }
}

/// A terminal and what was read from it.
pub struct Screen {
    pub terminal: Terminal,
    pub seen: Vec<u8>,
}

impl Screen {
    pub async fn type_text(&self, text: &str) {
        self.terminal.process.write(text.as_bytes().to_vec()).await.expect("it is typed");
    }

    /// Reads until `end` was seen; gives what came before it and forgets both.
    pub async fn until(&mut self, end: &str) -> String {
        let deadline = tokio::time::sleep(PATIENCE);
        tokio::pin!(deadline);
        loop {
            if let Some(at) = self.seen.windows(end.len()).position(|window| window == end.as_bytes()) {
                let rest = self.seen.split_off(at + end.len());
                let mut before = std::mem::replace(&mut self.seen, rest);
                before.truncate(at);
                return String::from_utf8_lossy(&before).into_owned();
            }
            let mut buffer = vec![0; 65536];
            tokio::select! {
                count = self.terminal.output.read(&mut buffer) => match count.expect("it is read") {
                    0 => panic!("the output ended before {end:?}; seen: {:?}", String::from_utf8_lossy(&self.seen)),
                    count => self.seen.extend_from_slice(&buffer[..count]),
                },
                () = &mut deadline => panic!("no {end:?}; seen: {:?}", String::from_utf8_lossy(&self.seen)),
            }
        }
    }

    /// Reads to the end.
    pub async fn rest(mut self) -> Vec<u8> {
        soon(self.terminal.output.read_to_end(&mut self.seen)).await.expect("it is read");
        self.seen
    }
}

/// Fails when it takes too long.
pub async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what).await.expect("it happens in time")
}

/// What was collected from a stream.
pub fn collected(output: &ChildOutput) -> String {
    match output {
        ChildOutput::Collected(tail) => String::from_utf8_lossy(&tail.read_from(0).bytes).into_owned(),
        ChildOutput::Pipe(_) | ChildOutput::Inherited => panic!("the stream is not collected"),
    }
}

/// A duration for `sleep` that no other process uses, by which its processes are found.
pub fn unique_sleep() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("9{}.{:03}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Processes that sleep for `duration`. What is about to become such a process does not count.
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

/// Whether a file holds something.
pub fn is_written(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.len() > 0)
}
