//! Running git. What it runs for belongs to an agent, which may have written into the repository's own configuration what git would run
//! (filters, file system monitors, drivers for differences). So the repository is only asked where it is and what a revision means; the
//! work is done in a repository of our own that sees the other one's objects.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use dsh_runtime::CancellationToken;
use dsh_subprocess::{
    Child, ChildOutput, EnvironmentChanges, ExecutableError, ExitOutcome, OutputTarget, SpawnError, SpawnSpec, StdinSource, Subprocess,
};
use tokio::io::AsyncReadExt;

/// Most bytes that are taken of what git writes.
const MOST_BYTES: u64 = 64 * 1024 * 1024;
/// How much of git's own words is kept.
const MOST_WORDS: usize = 4096;
/// How long git may take to end once it is asked to.
const GRACE: Duration = Duration::from_secs(2);
/// Variables that would lead git to another repository than the folder's.
const MISLEADING: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
];

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitError {
    #[error("git is needed to make a patch: {0}")]
    Missing(#[from] ExecutableError),
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    #[error("`git {command}` failed in {}: {said}", folder.display())]
    Failed { command: String, folder: PathBuf, said: String },
    #[error("what `git {command}` writes cannot be read: {source}")]
    Read { command: String, source: std::io::Error },
    #[error("`git {command}` writes more than {MOST_BYTES} bytes; have `.gitignore` name what is no part of the work")]
    TooMuch { command: String },
}

/// Git in a folder.
pub(crate) struct Git<'a> {
    subprocess: &'a dyn Subprocess,
    program: PathBuf,
    folder: &'a Path,
    /// What stands before every command.
    options: Vec<OsString>,
    cancel: CancellationToken,
}

impl<'a> Git<'a> {
    /// In a folder, with the repository that the folder is in.
    ///
    /// # Errors
    /// When there is no git.
    pub(crate) fn new(subprocess: &'a dyn Subprocess, folder: &'a Path, cancel: CancellationToken) -> Result<Self, GitError> {
        Ok(Self { subprocess, program: subprocess.executable("git")?, folder, options: Vec::new(), cancel })
    }

    /// The same with another repository for the files below `root`.
    pub(crate) fn with(self, repository: &Path, root: &Path, excludes: &Path) -> Self {
        let of = |name: &str, path: &Path| [OsStr::new(name), path.as_os_str()].join(OsStr::new("="));
        let options = vec![
            of("--git-dir", repository),
            of("--work-tree", root),
            "-c".into(),
            of("core.excludesFile", excludes),
            // Nothing of the folder is run.
            "-c".into(),
            "core.hooksPath=/dev/null".into(),
            "-c".into(),
            "core.fsmonitor=false".into(),
            // Names of files are then plain ASCII in patches.
            "-c".into(),
            "core.quotePath=true".into(),
        ];
        Self { options, ..self }
    }

    /// Runs a command and yields what it wrote.
    ///
    /// # Errors
    /// When it does not start, fails or writes too much.
    pub(crate) async fn run(&self, words: &[&OsStr]) -> Result<Vec<u8>, GitError> {
        let command = words.first().unwrap_or(&OsStr::new("")).to_string_lossy().into_owned();
        let Child { process, stdout, stderr, .. } = self.subprocess.spawn(self.spec(words)).await?;
        let mut written = Vec::new();
        if let ChildOutput::Pipe(stdout) = stdout {
            let read = stdout.take(MOST_BYTES + 1).read_to_end(&mut written).await;
            read.map_err(|source| GitError::Read { command: command.clone(), source })?;
        }
        if written.len() as u64 > MOST_BYTES {
            // Whether it can be ended is the provider's to report.
            let _ = process.terminate().await;
            return Err(GitError::TooMuch { command });
        }
        if process.exited().await == ExitOutcome::Exited(0) {
            return Ok(written);
        }
        let said = match stderr {
            ChildOutput::Collected(tail) => String::from_utf8_lossy(&tail.read_from(0).bytes).trim().to_owned(),
            ChildOutput::Pipe(_) | ChildOutput::Inherited => String::new(),
        };
        Err(GitError::Failed { command, folder: self.folder.to_owned(), said })
    }

    fn spec(&self, words: &[&OsStr]) -> SpawnSpec {
        let argv = std::iter::once(self.program.clone().into_os_string()).chain(self.options.iter().cloned());
        let plain = EnvironmentChanges::new().set("LC_ALL", "C").set("GIT_TERMINAL_PROMPT", "0").set("GIT_OPTIONAL_LOCKS", "0");
        SpawnSpec {
            argv: argv.chain(words.iter().map(OsString::from)).collect(),
            cwd: self.folder.to_owned(),
            environment: MISLEADING.iter().fold(plain, |changes, name| changes.remove(*name)),
            stdin: StdinSource::Ignore,
            stdout: OutputTarget::Pipe,
            stderr: OutputTarget::Collect { max_bytes: MOST_WORDS },
            grace: GRACE,
            cancel: self.cancel.clone(),
        }
    }
}
