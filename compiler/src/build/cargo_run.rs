//! One run of `cargo build`, in a process group of its own that is ended as a whole when the user interrupts.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader, Lines};
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};

use super::BuildError;
use super::messages::{Message, read};
use super::progress::Progress;
use crate::index::{Network, cargo};

/// How long cargo and its compilers have to end after they were asked to, before they are killed.
const GRACE: Duration = Duration::from_secs(2);

/// What to build.
pub(super) struct Order<'a> {
    /// Root of the workspace.
    pub root: &'a Path,
    /// Package of the generated crate.
    pub package: String,
    /// Its binary.
    pub binary: String,
    /// Cargo's target folder.
    pub target: PathBuf,
    /// Cargo profile.
    pub cargo_profile: &'static str,
    /// What cargo may do.
    pub network: Network,
    /// About how many packages there are.
    pub expected: usize,
}

/// Builds and yields the path of cargo's binary.
pub(super) fn run(order: &Order<'_>) -> Result<PathBuf, BuildError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(BuildError::Start)?;
    runtime.block_on(drive(order))
}

async fn drive(order: &Order<'_>) -> Result<PathBuf, BuildError> {
    let mut interrupt = signal(SignalKind::interrupt()).map_err(BuildError::Start)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(BuildError::Start)?;
    // Cargo has a group of its own, so a closed terminal and its keys reach this process alone.
    let mut hangup = signal(SignalKind::hangup()).map_err(BuildError::Start)?;
    let mut quit = signal(SignalKind::quit()).map_err(BuildError::Start)?;
    let mut child = command(order).spawn().map_err(BuildError::Start)?;
    let mut progress = Progress::start(order.expected);
    let signal = tokio::select! {
        outcome = follow(&mut child, order, &mut progress) => {
            progress.finish();
            return outcome;
        }
        _ = interrupt.recv() => Signal::INT,
        _ = terminate.recv() => Signal::TERM,
        _ = hangup.recv() => Signal::HUP,
        _ = quit.recv() => Signal::QUIT,
    };
    end(&mut child).await;
    progress.finish();
    Err(BuildError::Interrupted { signal: u8::try_from(signal.as_raw()).unwrap_or(u8::MAX) })
}

fn command(order: &Order<'_>) -> Command {
    let mut command = Command::new(cargo());
    command.current_dir(order.root).args(["build", "--package", &order.package, "--bin", &order.binary]);
    command.args(["--profile", order.cargo_profile, "--message-format", "json-render-diagnostics", "--target-dir"]).arg(&order.target);
    command.args(order.network.offline.then_some("--offline")).args(order.network.locked.then_some("--locked"));
    forget_outer_package(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).kill_on_drop(true);
    command
}

/// Takes away what an outer `cargo run` or `cargo test` says of its own package: build scripts watch these variables, and crates
/// with C code would be built anew whenever the compiler is started in another way.
fn forget_outer_package(command: &mut Command) {
    const OF_A_PACKAGE: [&str; 5] = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_", "CARGO_PRIMARY_"];
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| OF_A_PACKAGE.iter().any(|start| name.starts_with(start))) {
            command.env_remove(name);
        }
    }
}

async fn follow(child: &mut Child, order: &Order<'_>, progress: &mut Progress) -> Result<PathBuf, BuildError> {
    let (mut messages, mut words) = (lines(child.stdout.take()), lines(child.stderr.take()));
    let mut made = None;
    while messages.is_some() || words.is_some() {
        tokio::select! {
            line = next(&mut messages), if messages.is_some() => {
                if let Some(Message::Artifact { package, target, executable }) = line?.as_deref().and_then(read) {
                    progress.built(package);
                    made = executable.filter(|_| target == order.binary).or(made);
                }
            }
            line = next(&mut words), if words.is_some() => {
                if let Some(line) = line? {
                    progress.line(&line);
                }
            }
        }
    }
    let status = child.wait().await.map_err(BuildError::Start)?;
    if !status.success() {
        return Err(BuildError::Cargo(status));
    }
    made.ok_or_else(|| BuildError::NoBinary(order.binary.clone()))
}

fn lines<R: AsyncRead + Unpin>(stream: Option<R>) -> Option<Lines<BufReader<R>>> {
    stream.map(|stream| BufReader::new(stream).lines())
}

/// The next line; the stream becomes `None` at its end.
async fn next<R: AsyncRead + Unpin>(stream: &mut Option<Lines<BufReader<R>>>) -> Result<Option<String>, BuildError> {
    let Some(open) = stream else { return Ok(None) };
    let line = open.next_line().await.map_err(BuildError::Start)?;
    if line.is_none() {
        *stream = None;
    }
    Ok(line)
}

/// Asks the whole group to end, and kills what has not when cargo ended or its time is over.
async fn end(child: &mut Child) {
    let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
    for signal in [Signal::TERM, Signal::KILL] {
        if let Some(group) = group {
            // A group without members is what is wanted.
            let _ = kill_process_group(group, signal);
        }
        // What cannot be killed is not waited for.
        let _ = tokio::time::timeout(GRACE, child.wait()).await;
    }
}
