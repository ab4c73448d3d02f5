//! What a run of the benchmarks works with.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::model_server::{ModelServer, prompt};

/// The contestants and where they work.
pub struct Setting {
    /// Root of the sources.
    pub workspace: PathBuf,
    /// Holds everything that the contestants write.
    pub scratch: TempDir,
    /// Answers them.
    pub server: ModelServer,
    /// The C client, compiled.
    pub floor: PathBuf,
    /// The binary of `minimal`.
    pub product: PathBuf,
    /// The executable of the reference runtime, where there is one.
    pub reference: Option<PathBuf>,
    /// The compiler, `dsh-build`.
    pub compiler: PathBuf,
    /// Only to see that the program works.
    pub quick: bool,
}

/// What does one task and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Runner {
    /// The C client with one shell.
    Floor,
    /// The C client with a shell for each command.
    Spawning,
    /// The C client with one shell on a terminal and a record on the disk.
    Keeping,
    /// `curl` in a shell.
    Curl,
    /// The binary's `run`.
    Product,
}

impl Runner {
    /// What it is called in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Floor => "C client, one shell",
            Self::Spawning => "C client, a shell for each command",
            Self::Keeping => "C client, one shell on a terminal, a record",
            Self::Curl => "curl in a shell",
            Self::Product => "`dsh-minimal run`",
        }
    }
}

/// What is served over standard streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime<'a> {
    /// The binary.
    Product,
    /// The reference.
    Reference(&'a Path),
}

impl Runtime<'_> {
    /// What it is called in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Product => "`dsh-minimal` (served)",
            Self::Reference(_) => "reference (served)",
        }
    }
}

impl Setting {
    /// The larger number for figures, the smaller to see that the program works.
    pub fn count(&self, full: usize, quick: usize) -> usize {
        if self.quick { quick } else { full }
    }

    /// The runtimes that there are.
    pub fn runtimes(&self) -> Vec<Runtime<'_>> {
        std::iter::once(Runtime::Product).chain(self.reference.as_deref().map(Runtime::Reference)).collect()
    }

    /// One task of so many steps, each with one tool call; an answer ends it.
    pub fn task(&self, runner: Runner, tag: &str, steps: usize) -> Command {
        let (port, count) = (self.server.port().to_string(), steps.to_string());
        let mut command = match runner {
            Runner::Floor | Runner::Spawning | Runner::Keeping => self.command(&self.floor),
            Runner::Curl => self.command(Path::new("sh")),
            Runner::Product => self.command(&self.product),
        };
        match runner {
            Runner::Floor => command.args([&port, tag, &count, "persist"]),
            Runner::Spawning => command.args([&port, tag, &count, "spawn"]),
            Runner::Keeping => command.args([&port, tag, &count, "keep"]),
            Runner::Curl => command.arg(self.workspace.join("tests/bench/floor/curl.sh")).args([&port, tag, &count]),
            Runner::Product => command.arg("run").arg(prompt(tag, steps)),
        };
        command
    }

    /// A runtime that is to be driven over its standard streams.
    pub fn serve(&self, runtime: Runtime<'_>) -> Command {
        let mut command = match runtime {
            Runtime::Product => self.command(&self.product),
            Runtime::Reference(executable) => self.command(executable),
        };
        // The product knows this name as well.
        command.args(["--profile", "sdk-minimal"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command
    }

    fn command(&self, program: &Path) -> Command {
        let folder = self.scratch.path();
        let mut command = Command::new(program);
        command.current_dir(folder).env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        for kept in ["PATH", "LANG", "LD_LIBRARY_PATH"] {
            command.envs(std::env::var_os(kept).map(|value| (kept, value)));
        }
        command.env("HOME", folder).env("DSH_HOME", folder.join("home"));
        command.env("DEEPSEEK_BASE_URL", self.server.url()).env("DEEPSEEK_API_KEY", "none");
        command
    }
}

/// Compiles the C client into `folder`.
pub fn compile_floor(workspace: &Path, folder: &Path) -> io::Result<PathBuf> {
    let made = folder.join("client");
    let source = workspace.join("tests/bench/floor/client.c");
    let status = Command::new("cc").args(["-O2", "-Wall", "-Wextra", "-o"]).arg(&made).arg(source).status()?;
    if status.success() { Ok(made) } else { Err(io::Error::other("the C client does not compile")) }
}
