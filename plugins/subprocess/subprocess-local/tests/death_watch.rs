//! What becomes of the trees of a process that is killed. The process is this test program again.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dsh_runtime::boot::Boot;
use dsh_runtime::{CancellationToken, Environment, NoConfig, NoInject, Surroundings};
use dsh_subprocess::{EnvironmentChanges, LineMode, OutputTarget, SpawnSpec, StdinSource, Subprocess, TerminalSpec};
use dsh_subprocess_local::SubprocessLocal;
use rustix::process::{Pid, Signal, kill_process};

/// Names the folder of the process that is killed.
const FOLDER: &str = "SUBPROCESS_TEST_FOLDER";

/// Ways in which a process gets away from its shell, and processes that never had one; each writes a line when it runs.
const ESCAPES: &str = "sleep 987654 & echo 1\nnohup sleep 987654 >/dev/null 2>&1 & echo 1\nsetsid sleep 987654 & echo 1
setsid --fork sleep 987654; echo 1\n( set -m; sleep 987654 & ); echo 1\n( ( sleep 987654 & ) & ); echo 1
bash -c \"trap '' TERM HUP INT; while :; do sleep 987654; done\" & echo 1\n";

/// Without the test harness, which would run this in a thread: a program forks from its main thread, whose memory lies elsewhere.
fn main() {
    a_process_that_is_killed_leaves_nothing_running();
    println!("test a_process_that_is_killed_leaves_nothing_running ... ok");
}

fn a_process_that_is_killed_leaves_nothing_running() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return run_until_killed(Path::new(&folder));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mark = format!("{FOLDER}={}", folder.path().display());
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .env(FOLDER, folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    wait_until("all processes run", || fs::read(folder.path().join("ready")).is_ok_and(|lines| lines.len() == 2 * 14));
    assert!(marked(&mark) >= 14, "shells, sleepers and the process itself run");
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number")).expect("not 0");
    kill_process(pid, Signal::KILL).expect("it runs");
    child.wait().expect("it ends");
    wait_until("nothing runs", || marked(&mark) == 0);
    let mut said = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut said).expect("nobody holds the output open");
}

/// Starts a piped shell and one on a terminal, each with processes that leave it, and waits to be killed.
fn run_until_killed(folder: &Path) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let surroundings = Surroundings { environment: Environment::of_process().into(), ..Surroundings::of_process() };
        let mut boot = Boot::new("test", surroundings);
        let service = boot.mount::<SubprocessLocal>(0, "subprocess", NoConfig {}, NoInject {}).await.expect("it mounts").plugin();
        let piped = SpawnSpec {
            argv: ["/bin/bash", "-c", &format!("exec >>ready\n{ESCAPES} wait")].map(Into::into).to_vec(),
            cwd: folder.to_owned(),
            environment: EnvironmentChanges::new(),
            stdin: StdinSource::Ignore,
            stdout: OutputTarget::Inherit,
            stderr: OutputTarget::Inherit,
            grace: Duration::from_secs(1),
            cancel: CancellationToken::new(),
        };
        let _piped = service.spawn(piped).await.expect("it starts");
        let terminal = TerminalSpec {
            argv: ["/bin/bash", "--noprofile", "--norc", "--noediting", "-i"].map(Into::into).to_vec(),
            cwd: folder.to_owned(),
            environment: EnvironmentChanges::new(),
            rows: 24,
            cols: 80,
            line_mode: LineMode::Direct,
            grace: Duration::from_secs(1),
            cancel: CancellationToken::new(),
        };
        let shell = service.open_terminal(terminal).await.expect("it opens");
        shell.process.write(format!("exec 3>&1 >>ready\n{ESCAPES}").into_bytes()).await.expect("it is typed");
        std::future::pending::<()>().await;
    });
}

/// How many processes that have not ended carry the mark in their environment.
fn marked(mark: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("a process table").flatten();
    let is_marked = |path: &Path| {
        fs::read(path.join("environ")).is_ok_and(|variables| variables.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes()))
    };
    processes.filter(|process| is_marked(&process.path())).count()
}

/// Looks again and again, since the process table announces nothing.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
