//! Boot and teardown of a binary: command line, signals, mounting in order, serving, unwinding in reverse.

mod command_line;
mod conceal;
mod descendants;
mod process;
mod signals;

pub use process::run;

use std::any::Any;
use std::sync::Arc;

use std::time::Duration;

use crate::config::ConfigProblem;
use crate::context::{PluginContext, Surroundings};
use crate::effect::TeardownReport;
use crate::entry::{Exit, ServeSession, Serves, Verbs};
use crate::plugin::{MountError, Mounted, Plugin, mount};
use crate::{BoxFuture, Evaluator};

/// Longest time that the tasks of a row may take to end once its effects are undone.
const TASKS_LIMIT: Duration = Duration::from_secs(2);

/// Why a binary did not start.
#[derive(Debug, thiserror::Error)]
pub enum BootError {
    /// Values that the composition's expressions gave.
    #[error("the configuration cannot be used:{}", problems.iter().map(|problem| format!("\n  {problem}")).collect::<String>())]
    Config {
        /// All of them.
        problems: Vec<ConfigProblem>,
    },
    /// A plugin failed to mount.
    #[error("row `{row}` (plugin `{plugin}`) did not start: {source}")]
    Mount {
        /// The row.
        row: String,
        /// Its plugin.
        plugin: &'static str,
        /// The plugin's words.
        source: MountError,
    },
    /// A contribution was refused by the registry that it is for.
    #[error("a contribution of row `{row}` was refused: {source}")]
    Contribute {
        /// The row that contributes.
        row: String,
        /// The registry's words.
        source: MountError,
    },
}

impl BootError {
    /// Whether the surroundings are at fault rather than the program.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Mount { source, .. } if source.is_bug() => Exit::BUG,
            Self::Config { .. } | Self::Mount { .. } => Exit::ENVIRONMENT,
            Self::Contribute { .. } => Exit::BUG,
        }
    }
}

/// Mounts the rows of a composition; the generated wiring drives it.
pub struct Boot {
    profile: &'static str,
    surroundings: Surroundings,
    rows: Vec<PluginContext>,
    /// A plugin lives as long as the composition, also one that nobody else holds.
    plugins: Vec<Arc<dyn Any + Send + Sync>>,
}

impl Boot {
    /// Nothing mounted yet.
    #[must_use]
    pub fn new(profile: &'static str, surroundings: Surroundings) -> Self {
        Self { profile, surroundings, rows: Vec::new(), plugins: Vec::new() }
    }

    /// Evaluates the composition's expressions, all of them before anything mounts.
    ///
    /// # Errors
    /// All problems together.
    pub fn configure<C>(&self, resolve: impl FnOnce(&mut Evaluator) -> C) -> Result<C, BootError> {
        let mut evaluator = Evaluator::new(self.profile, &self.surroundings.environment);
        let configs = resolve(&mut evaluator);
        evaluator.finish().map_err(|problems| BootError::Config { problems })?;
        Ok(configs)
    }

    /// Mounts the row `id`, which stands at place `row` of the composition.
    ///
    /// # Errors
    /// The plugin's own.
    pub async fn mount<P: Plugin>(&mut self, row: usize, id: &str, config: P::Config, inject: P::Inject) -> Result<Mounted<P>, BootError> {
        let cx = PluginContext::new(id, row, self.surroundings.clone());
        self.rows.push(cx.clone());
        let mounted = mount::<P>(cx, config, inject).await;
        let mounted = mounted.map_err(|source| BootError::Mount { row: id.to_owned(), plugin: P::NAME, source })?;
        self.plugins.push(mounted.plugin());
        Ok(mounted)
    }

    /// Ends the mounting: what is left are the ways in.
    #[must_use]
    pub fn finish(&mut self) -> Entries {
        Entries::default()
    }

    /// Stops work in every row, then undoes each row in reverse order of mounting.
    pub async fn teardown(&self) -> TeardownReport {
        let mut report = TeardownReport::default();
        for row in self.rows.iter().rev() {
            report.failed.extend(row.quiesce().unwind().await.failed);
        }
        for row in self.rows.iter().rev() {
            report.failed.extend(row.effects().unwind().await.failed);
            row.tasks().close();
            if tokio::time::timeout(TASKS_LIMIT, row.tasks().wait()).await.is_err() {
                tracing::warn!(row = row.row_id(), "tasks of the row did not end");
                report.failed.push(row.row_id().to_owned());
            }
        }
        report
    }
}

/// Turns a registry's refusal of a contribution into the boot's error.
///
/// # Errors
/// The refusal.
pub fn contributed(cx: &PluginContext, outcome: Result<(), MountError>) -> Result<(), BootError> {
    outcome.map_err(|source| BootError::Contribute { row: cx.row_id().to_owned(), source })
}

type ServeEntry = Box<dyn FnOnce(ServeSession) -> BoxFuture<'static, Exit> + Send>;
type VerbEntry = Box<dyn FnOnce(Vec<String>, ServeSession) -> BoxFuture<'static, Exit> + Send>;

/// The ways into a mounted composition.
#[derive(Default)]
pub struct Entries {
    serve: Option<ServeEntry>,
    verbs: Vec<(&'static str, VerbEntry)>,
}

impl Entries {
    /// The row that serves a protocol.
    #[must_use]
    pub fn serve<P: Plugin + Serves>(mut self, mounted: &Mounted<P>) -> Self {
        let plugin = mounted.plugin();
        self.serve = Some(Box::new(move |session| plugin.serve(session)));
        self
    }

    /// The verbs of a row.
    #[must_use]
    pub fn verbs<P: Plugin + Verbs>(mut self, mounted: &Mounted<P>) -> Self {
        for verb in P::VERBS.iter().map(|verb| verb.name) {
            let plugin = mounted.plugin();
            self.verbs.push((verb, Box::new(move |args, session| plugin.run_verb(verb, args, session))));
        }
        self
    }
}

/// The generated function that mounts a composition.
pub type Wire = for<'a> fn(&'a mut Boot) -> BoxFuture<'a, Result<Entries, BootError>>;
