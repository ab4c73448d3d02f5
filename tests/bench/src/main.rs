//! Benchmarks: the binaries and the compiler beside a C client that does the least, `curl` in a shell and, where it is given, the
//! reference runtime. All contestants of a part are measured in turn in one run, so that ratios hold on a busy machine.
//!
//! It is a program and never a test: it reports figures and fails only when something does not work.

mod grown;
mod machine;
mod model_server;
mod parts;
mod processes;
mod report;
mod samples;
mod served;
mod setting;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::{Parser, ValueEnum};

use machine::{Machine, load};
use model_server::ModelServer;
use report::{Part, Report, markdown};
use setting::{Setting, compile_floor};

/// Measures the binary of `minimal` and the compiler. The report is written on stdout as Markdown.
#[derive(Parser)]
struct Arguments {
    /// Only shows that the program works: few repetitions of debug builds
    #[arg(long)]
    quick: bool,
    /// Measures these parts alone
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Subject>,
    /// Builds a new clone as well, which takes minutes
    #[arg(long)]
    first_build: bool,
    /// Executable of the reference runtime, to be measured too
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
    /// The binary of `minimal`, else it is built with `--ship`
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// The compiler, else it is built with optimisation
    #[arg(long, value_name = "FILE")]
    compiler: Option<PathBuf>,
    /// Writes `benchmarks.md` and `benchmarks.json` there instead
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Subject {
    Size,
    Start,
    Memory,
    Step,
    Sessions,
    Check,
    Rebuild,
}

impl Subject {
    fn measure(self, setting: &Setting) -> io::Result<Part> {
        match self {
            Self::Size => parts::size::measure(setting),
            Self::Start => parts::start::measure(setting),
            Self::Memory => parts::memory::measure(setting),
            Self::Step => parts::step::measure(setting),
            Self::Sessions => parts::sessions::measure(setting),
            Self::Check => parts::check::measure(setting),
            Self::Rebuild => parts::rebuild::measure(setting),
        }
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("benchmarks: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> io::Result<()> {
    let setting = prepare(arguments)?;
    let mut report = Report { machine: Machine::look(&setting.workspace), quick: arguments.quick, left_out: Vec::new(), parts: Vec::new() };
    if setting.reference.is_none() {
        report.left_out.push("the reference runtime, which was not given".to_owned());
    }
    let wanted = |subject: &Subject| arguments.only.is_empty() || arguments.only.contains(subject);
    for subject in Subject::value_variants().iter().filter(|subject| wanted(subject)) {
        report.parts.push(with_load(|| subject.measure(&setting))?);
    }
    if arguments.first_build {
        report.parts.push(with_load(|| parts::first_build::measure(&setting))?);
    }
    let text = markdown(&report);
    let Some(folder) = &arguments.out else {
        print!("{text}");
        return Ok(());
    };
    fs::create_dir_all(folder)?;
    fs::write(folder.join("benchmarks.md"), text)?;
    fs::write(folder.join("benchmarks.json"), serde_json::to_string_pretty(&report)? + "\n")
}

fn with_load(measure: impl FnOnce() -> io::Result<Part>) -> io::Result<Part> {
    let before = load();
    let mut part = measure()?;
    part.load = (before, load());
    eprintln!("benchmarks: {} is done", part.name);
    Ok(part)
}

fn prepare(arguments: &Arguments) -> io::Result<Setting> {
    // This package lies two folders below the root.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("/")).to_owned();
    let scratch = tempfile::Builder::new().prefix("dsh-benchmarks-").tempdir()?;
    let absolute =
        |path: &PathBuf| path.canonicalize().map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())));
    let compiler = match &arguments.compiler {
        Some(path) => absolute(path)?,
        None => build_compiler(&workspace, arguments.quick)?,
    };
    let product = match &arguments.binary {
        Some(path) => absolute(path)?,
        None => build_product(&workspace, &compiler, arguments.quick)?,
    };
    Ok(Setting {
        floor: compile_floor(&workspace, scratch.path())?,
        reference: arguments.reference.as_ref().map(absolute).transpose()?,
        server: ModelServer::start()?,
        quick: arguments.quick,
        workspace,
        scratch,
        product,
        compiler,
    })
}

fn build_compiler(workspace: &Path, quick: bool) -> io::Result<PathBuf> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--quiet", "-p", "dsh-build", "--message-format", "json-render-diagnostics"]);
    command.args((!quick).then_some("--release")).current_dir(workspace);
    let said = output(command)?;
    let made = said.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    made.ok_or_else(|| io::Error::other("cargo names no compiler"))
}

fn build_product(workspace: &Path, compiler: &Path, quick: bool) -> io::Result<PathBuf> {
    let mut command = Command::new(compiler);
    command.args(["--profile", "minimal", if quick { "--debug" } else { "--ship" }, "--workspace"]).arg(workspace);
    let said = output(command)?;
    said.lines().last().map(PathBuf::from).ok_or_else(|| io::Error::other("the compiler names no binary"))
}

/// What a command prints; what it says on stderr is shown.
fn output(mut command: Command) -> io::Result<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("{command:?} ended with {}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
