//! What a plugin is given when it mounts.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::{Clock, SystemClock};
use crate::config::{SecretEnv, SecretValue};
use crate::effect::EffectStack;
use crate::ids::{IdSource, RandomIds};

/// The environment variables and folders that the process started with. Read once; later changes are not seen.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    cwd: PathBuf,
}

impl Environment {
    /// The process's own.
    #[must_use]
    pub fn of_process() -> Self {
        // A folder that was deleted under the process has no path; `.` still resolves to it.
        Self { variables: std::env::vars_os().collect(), cwd: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")) }
    }

    /// A made-up one, for tests.
    #[must_use]
    pub fn of(variables: impl IntoIterator<Item = (impl Into<OsString>, impl Into<OsString>)>, cwd: impl Into<PathBuf>) -> Self {
        Self { variables: variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect(), cwd: cwd.into() }
    }

    /// A variable's value as it is.
    #[must_use]
    pub fn var_os(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        self.variables.get(name.as_ref()).map(OsString::as_os_str)
    }

    /// A variable's value when it is Unicode.
    #[must_use]
    pub fn var(&self, name: impl AsRef<OsStr>) -> Option<&str> {
        self.var_os(name).and_then(OsStr::to_str)
    }

    /// All variables, for the environment of child processes.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// Working folder at start.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Home of the harness: `DSH_HOME` when it is not blank, else `.dsh` in the user's home, else `.dsh` in the working folder.
    #[must_use]
    pub fn harness_home(&self) -> PathBuf {
        let set = |name: &str| self.var_os(name).filter(|value| !value.to_string_lossy().trim().is_empty());
        match (set("DSH_HOME"), set("HOME")) {
            (Some(home), user) => match (home.to_str().and_then(|text| text.strip_prefix("~/")), user) {
                (Some(rest), Some(user)) => Path::new(user).join(rest),
                _ => PathBuf::from(home),
            },
            (None, Some(user)) => Path::new(user).join(".dsh"),
            (None, None) => self.cwd.join(".dsh"),
        }
    }
}

/// Names only: values may be secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.variables.keys().collect();
        out.debug_struct("Environment").field("variables", &names).field("cwd", &self.cwd).finish()
    }
}

/// What all plugins of a binary share: time, ids, environment, the end of the process.
#[derive(Clone)]
pub struct Surroundings {
    /// Source of the time.
    pub clock: Arc<dyn Clock>,
    /// Source of identifiers.
    pub ids: Arc<dyn IdSource>,
    /// What the process started with.
    pub environment: Arc<Environment>,
    /// Cancelled when the process is asked to end.
    pub shutdown: CancellationToken,
}

impl Surroundings {
    /// The machine's.
    #[must_use]
    pub fn of_process() -> Self {
        Self {
            clock: Arc::new(SystemClock::start()),
            ids: Arc::new(RandomIds),
            environment: Arc::new(Environment::of_process()),
            shutdown: CancellationToken::new(),
        }
    }
}

/// A mounted row's context. Cloning shares it.
#[derive(Clone)]
pub struct PluginContext {
    inner: Arc<Inner>,
}

struct Inner {
    row_id: String,
    row: usize,
    surroundings: Surroundings,
    effects: EffectStack,
    quiesce: EffectStack,
    tasks: TaskTracker,
}

impl PluginContext {
    /// A context for the row `row_id`, which stands at place `row` of the composition.
    #[must_use]
    pub fn new(row_id: &str, row: usize, surroundings: Surroundings) -> Self {
        Self {
            inner: Arc::new(Inner {
                row_id: row_id.to_owned(),
                row,
                surroundings,
                effects: EffectStack::new(row_id),
                quiesce: EffectStack::new(row_id),
                tasks: TaskTracker::new(),
            }),
        }
    }

    /// Id of the row.
    #[must_use]
    pub fn row_id(&self) -> &str {
        &self.inner.row_id
    }

    /// Place of the row in the composition; listeners are ordered by it.
    #[must_use]
    pub fn row(&self) -> usize {
        self.inner.row
    }

    /// The time.
    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.inner.surroundings.clock
    }

    /// Makes identifiers.
    #[must_use]
    pub fn ids(&self) -> &Arc<dyn IdSource> {
        &self.inner.surroundings.ids
    }

    /// Environment of the process.
    #[must_use]
    pub fn environment(&self) -> &Environment {
        &self.inner.surroundings.environment
    }

    /// All that plugins share.
    #[must_use]
    pub fn surroundings(&self) -> &Surroundings {
        &self.inner.surroundings
    }

    /// Cancelled when the process is asked to end.
    #[must_use]
    pub fn shutdown(&self) -> &CancellationToken {
        &self.inner.surroundings.shutdown
    }

    /// Reads a secret now; it is never kept in a config or printed. `None` when the variable is unset, empty or not Unicode.
    #[must_use]
    pub fn secret(&self, reference: &SecretEnv) -> Option<SecretValue> {
        self.environment().var(reference.variable()).filter(|value| !value.is_empty()).map(|value| SecretValue::new(value.to_owned()))
    }

    /// What is undone when the row is torn down.
    #[must_use]
    pub fn effects(&self) -> &EffectStack {
        &self.inner.effects
    }

    /// What is run when the binary stops working, before any row is torn down: all listeners and services still answer.
    #[must_use]
    pub fn quiesce(&self) -> &EffectStack {
        &self.inner.quiesce
    }

    /// Runs a task that the row owns: teardown waits for it, so it must end when what it waits for is undone.
    pub fn spawn<F>(&self, task: F) -> tokio::task::JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.inner.tasks.spawn(task)
    }

    /// The row's tasks.
    pub(crate) fn tasks(&self) -> &TaskTracker {
        &self.inner.tasks
    }
}
