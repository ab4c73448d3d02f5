//! A place to run a binary in: folders of its own, an environment of its own, and a look at what it left.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::process::Command;

use crate::Log;

/// A key that must be seen by the model server and by nobody else.
pub const KEY: &str = "sk-only-the-model-server-may-see-this-4c1d9a";

/// Variable by which the processes of a run are told from all others.
const MARK: &str = "PRODUCT_TEST_RUN";

/// How long a killed process may take to disappear.
const DISAPPEARING: Duration = Duration::from_secs(10);

/// Folders of one run, removed when it is dropped. Whatever the test is about, the key must not be in a file of theirs then.
pub struct Place {
    folder: TempDir,
    root: PathBuf,
}

impl Place {
    /// A new one.
    ///
    /// # Panics
    /// When no folder can be made.
    #[must_use]
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("dsh-product-").tempdir().expect("a temporary folder can be made");
        let root = folder.path().canonicalize().expect("the folder is there");
        let place = Self { folder, root };
        for folder in [place.workspace(), place.home(), place.temporary()] {
            fs::create_dir(folder).expect("a folder can be made");
        }
        place
    }

    /// Where the agent works.
    #[must_use]
    pub fn workspace(&self) -> PathBuf {
        self.root.join("workspace")
    }

    /// Where sessions are kept; it is not there before the first one.
    #[must_use]
    pub fn sessions(&self) -> PathBuf {
        self.root.join("sessions")
    }

    fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Where temporary files go.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// A command in the workspace with the key, the model server and the folders in its environment, and little else.
    #[must_use]
    pub fn command(&self, binary: &Path, server: &str) -> Command {
        let mut command = Command::new(binary);
        command.current_dir(self.workspace()).env_clear();
        for kept in ["PATH", "LANG", "LD_LIBRARY_PATH"] {
            command.envs(std::env::var_os(kept).map(|value| (kept, value)));
        }
        command.env("HOME", self.home()).env("TMPDIR", self.temporary()).env(MARK, self.mark());
        command.env("DSH_HOME", self.home().join("dsh")).env("DSH_SESSION_ROOT", self.sessions());
        command.env("DEEPSEEK_BASE_URL", server).env("DEEPSEEK_API_KEY", KEY);
        command
    }

    /// The log of a session.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn log(&self, session: &str) -> Log {
        Log::read(&self.log_path(session))
    }

    /// Where the log of a session lies. Its id must need no escape in a file name.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn log_path(&self, session: &str) -> PathBuf {
        let found = self.logs().into_iter().find(|path| path.parent().and_then(Path::file_name).is_some_and(|name| name == session));
        found.unwrap_or_else(|| panic!("session {session} has no log below {}", self.sessions().display()))
    }

    /// All logs, plain and compressed, sorted.
    #[must_use]
    pub fn logs(&self) -> Vec<PathBuf> {
        let is_log = |path: &PathBuf| path.file_name().is_some_and(|name| name == "session.jsonl" || name == "session.jsonl.zstd");
        files_below(&self.sessions()).into_iter().filter(is_log).collect()
    }

    /// All files but those in the folder of sessions, sorted, relative to the place.
    #[must_use]
    pub fn files_beside_sessions(&self) -> Vec<PathBuf> {
        let inside = |path: PathBuf| path.strip_prefix(&self.root).map(Path::to_path_buf).ok();
        files_below(&self.root).into_iter().filter(|path| !path.starts_with(self.sessions())).filter_map(inside).collect()
    }

    /// The files that hold a text.
    #[must_use]
    pub fn files_with(&self, text: &str) -> Vec<PathBuf> {
        let holds = |path: &PathBuf| fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text));
        files_below(&self.root).into_iter().filter(holds).collect()
    }

    /// The command lines of all processes that were started here and have not ended, whoever their parent is.
    ///
    /// # Panics
    /// Where there is no `/proc`.
    #[must_use]
    pub fn processes(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.mark());
        let processes = fs::read_dir("/proc").expect("this is Linux").flatten().map(|entry| entry.path());
        // A process may end while it is looked at; then its files are gone.
        let own = processes.filter_map(|path| {
            let environment = fs::read(path.join("environ")).ok()?;
            let marked = environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes());
            marked.then_some((path, environment))
        });
        let lines = own.filter_map(|(path, environment)| {
            let line = fs::read(path.join("cmdline")).ok().filter(|line| !line.is_empty())?;
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            // The binary itself is given the key; between its start and its first steps it is still seen there.
            let is_child = !line.split(' ').next().unwrap_or_default().contains("dsh-");
            assert!(!is_child || !holds_key(&environment), "the environment of `{line}` holds the key");
            Some(line)
        });
        lines.collect()
    }

    /// Waits until a process of the run shows this command line. A shell has then handed it the terminal.
    ///
    /// # Panics
    /// When none does.
    pub async fn wait_until_runs(&self, command: &str) {
        let start = Instant::now();
        while !self.processes().iter().any(|line| line.trim_end() == command) {
            assert!(start.elapsed() < DISAPPEARING, "`{command}` does not run: {:?}", self.processes());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until no process of the run is there any more; one that was killed takes a moment to disappear.
    ///
    /// # Panics
    /// When one stays.
    pub async fn wait_until_nothing_runs(&self) {
        let start = Instant::now();
        while !self.processes().is_empty() && start.elapsed() < DISAPPEARING {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(self.processes(), [""; 0], "processes are left behind");
    }

    fn mark(&self) -> String {
        self.folder.path().file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let found = self.files_with(KEY);
        // A test that has failed already says why.
        assert!(found.is_empty() || std::thread::panicking(), "files hold the key: {found:?}");
    }
}

/// Whether the key stands in these bytes.
pub(crate) fn holds_key(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(bytes).contains(KEY)
}

impl Default for Place {
    fn default() -> Self {
        Self::new()
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files.extend(files_below(&entry.path())),
            // Whoever opened a FIFO would wait for its other end.
            Ok(kind) if !kind.is_file() && !kind.is_symlink() => {}
            _ => files.push(entry.path()),
        }
    }
    files.sort();
    files
}
