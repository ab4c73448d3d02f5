//! One run of `cargo build`, in a process group of its own that is ended as a whole when the user interrupts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader, Lines};
use tokio::process::{Child, Command};

use super::messages::{Message, read};
use super::progress::Progress;
use super::signals::Signals;
use super::toolchain::Toolchain;
use super::{BuildError, CARGO_PROFILE};
use crate::console::is_coloured;
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
    /// How the compilers are run.
    pub toolchain: Toolchain,
    /// What cargo may do.
    pub network: Network,
    /// About how many packages there are.
    pub expected: usize,
}

/// Builds and yields the path of cargo's binary.
pub(super) fn run(order: &Order<'_>, signals: &mut Signals) -> Result<PathBuf, BuildError> {
    signals.run(async |caught| {
        let mut child = command(order).spawn().map_err(BuildError::Start)?;
        let mut progress = Progress::start(order.expected);
        let signal = tokio::select! {
            outcome = follow(&mut child, order, &mut progress) => {
                progress.finish();
                return outcome;
            }
            signal = caught.next() => signal,
        };
        end(&mut child).await;
        progress.finish();
        Err(BuildError::Interrupted { signal })
    })
}

fn command(order: &Order<'_>) -> Command {
    let mut command = Command::new(cargo());
    command.current_dir(order.root).args(["build", "--package", &order.package, "--bin", &order.binary]);
    command.args(["--profile", order.cargo_profile, "--message-format", messages(), "--target-dir"]).arg(&order.target);
    command.args(order.network.offline.then_some("--offline")).args(order.network.locked.then_some("--locked"));
    command.env(CARGO_PROFILE, order.cargo_profile);
    forget_outer_package(&mut command);
    command.args(order.toolchain.arguments()).envs(order.toolchain.variables());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).kill_on_drop(true);
    command
}

/// Diagnostics come as messages too, which say whose they are.
fn messages() -> &'static str {
    if is_coloured() { "json-diagnostic-rendered-ansi" } else { "json" }
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
    let (mut made, mut said) = (None, Said::default());
    while messages.is_some() || words.is_some() {
        tokio::select! {
            line = next(&mut messages), if messages.is_some() => {
                match line?.as_deref().and_then(read) {
                    Some(Message::Artifact { package, target, executable }) => {
                        progress.built(package);
                        made = executable.filter(|_| target == order.binary).or(made);
                    }
                    Some(Message::Diagnostic { package, rendered, is_error }) => {
                        said.hear_linker(&rendered);
                        progress.line(rendered.trim_end());
                        said.failed.extend(is_error.then_some(package));
                    }
                    None => {}
                }
            }
            line = next(&mut words), if words.is_some() => {
                if let Some(line) = line? {
                    said.line(&line);
                    progress.line(&line);
                }
            }
        }
    }
    let status = child.wait().await.map_err(BuildError::Start)?;
    if !status.success() {
        return Err(said.why(status, order));
    }
    made.ok_or_else(|| BuildError::NoBinary(order.binary.clone()))
}

/// What cargo said that tells why it failed.
#[derive(Default)]
struct Said {
    /// Packages that do not compile.
    failed: BTreeSet<String>,
    /// Whether cargo was kept from what it had to do.
    is_hindered: bool,
    /// Whether the linker found no static form of a library.
    lacks_library: bool,
}

impl Said {
    fn line(&mut self, line: &str) {
        let build_script = line.split_once("failed to run custom build command for `").and_then(|(_, rest)| rest.split([' ', '`']).next());
        self.failed.extend(build_script.map(str::to_owned));
        self.is_hindered |= line.contains("--locked") || line.contains("--offline");
    }

    fn hear_linker(&mut self, rendered: &str) {
        self.lacks_library |= rendered.contains("cannot find -l") || rendered.contains("unable to find library -l");
    }

    fn why(self, status: ExitStatus, order: &Order<'_>) -> BuildError {
        match self {
            Self { lacks_library: true, .. } if order.toolchain.is_static => BuildError::NoStaticLibrary(status),
            // That the wiring does not compile is no fault of a plugin.
            Self { failed, .. } if !failed.is_empty() && !failed.contains(&order.package) => BuildError::Packages(failed),
            Self { is_hindered: true, .. } => BuildError::Hindered(status),
            _ => BuildError::Cargo(status),
        }
    }
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
