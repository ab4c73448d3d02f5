//! Boot and teardown of a binary: command line, signals, mounting in order, serving, unwinding in reverse.

mod bom;
mod command_line;
mod composed;
mod conceal;
mod descendants;
mod entries;
mod graph;
mod inspect;
mod inspect_prompt;
mod inspect_surroundings;
mod names;
#[cfg(feature = "overlays")]
mod overlays;
mod process;
mod rows;
mod seen;
mod self_description;
mod signals;

pub use entries::Entries;
pub use graph::{Graph, GraphGroup, GraphRow};
pub use process::run;
pub use rows::{RowOverride, Rows};

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::config::ConfigProblem;
use crate::context::{PluginContext, Surroundings};
use crate::effect::TeardownReport;
use crate::entry::Exit;
use crate::plugin::{MountError, Mounted, Plugin, mount};
use crate::presets::Presets;
use crate::scope::ScopeId;
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

/// Mounts the rows of a composition, or of one of its presets; the generated wiring drives it.
pub struct Boot {
    profile: &'static str,
    surroundings: Surroundings,
    overrides: Vec<RowOverride>,
    /// Configs that overlays gave, by row.
    #[cfg(feature = "overlays")]
    replaced: std::collections::BTreeMap<String, dsh_language::check::StructValue>,
    /// Which rows are on; all when the composition has none that may be off.
    decided: Option<Rows>,
    /// The preset's scope, when these are the rows of one.
    scope: Option<ScopeId>,
    presets: Presets,
    /// Shared with the boots of the presets.
    rows: Arc<Mutex<Vec<BootedRow>>>,
}

struct BootedRow {
    cx: PluginContext,
    /// A plugin lives as long as the composition, also one that nobody else holds. None while it mounts.
    plugin: Option<Arc<dyn Any + Send + Sync>>,
}

impl Boot {
    /// Nothing mounted yet.
    #[must_use]
    pub fn new(profile: &'static str, surroundings: Surroundings) -> Self {
        Self {
            profile,
            surroundings,
            overrides: Vec::new(),
            #[cfg(feature = "overlays")]
            replaced: std::collections::BTreeMap::new(),
            decided: None,
            scope: None,
            presets: Presets::default(),
            rows: Arc::default(),
        }
    }

    /// Gives rows the configs of overlays.
    #[cfg(feature = "overlays")]
    #[must_use]
    pub(crate) fn replacing(self, replaced: std::collections::BTreeMap<String, dsh_language::check::StructValue>) -> Self {
        Self { replaced, ..self }
    }

    /// Takes what an overlay at start says of rows; later entries win. Only for a binary that is not sealed, and before anything mounts.
    pub fn override_rows(&mut self, overrides: impl IntoIterator<Item = RowOverride>) {
        self.overrides.extend(overrides);
    }

    /// Evaluates the composition's expressions, all of them before anything mounts.
    ///
    /// # Errors
    /// All problems together.
    pub fn configure<C>(&self, resolve: impl FnOnce(&mut Evaluator) -> C) -> Result<C, BootError> {
        let mut evaluator = Evaluator::new(self.profile, &self.surroundings.environment);
        #[cfg(feature = "overlays")]
        evaluator.replace(self.replaced.clone());
        let configs = resolve(&mut evaluator);
        evaluator.finish().map_err(|problems| BootError::Config { problems })?;
        Ok(configs)
    }

    /// The same for a composition with rows that may be off: decides which are on, then evaluates the configs of those.
    ///
    /// # Errors
    /// All problems of both together.
    pub fn resolve<C>(&mut self, graph: &'static Graph, configs: impl FnOnce(&mut Evaluator, &Rows) -> C) -> Result<C, BootError> {
        let (rows, configs) = self.configure(|eval| {
            let rows = Rows::resolve(graph, &self.overrides, eval);
            let configs = configs(eval, &rows);
            (rows, configs)
        })?;
        self.decided = Some(rows);
        Ok(configs)
    }

    /// Which rows are on.
    ///
    /// # Errors
    /// Conditions that cannot be evaluated here.
    pub(crate) fn decide(&self, graph: &'static Graph) -> Result<Rows, BootError> {
        self.configure(|eval| Rows::resolve(graph, &self.overrides, eval))
    }

    /// Mounts the row `id`, which stands at place `row` of the composition.
    ///
    /// # Errors
    /// The plugin's own.
    pub async fn mount<P: Plugin>(&mut self, row: usize, id: &str, config: P::Config, inject: P::Inject) -> Result<Mounted<P>, BootError> {
        let cx = PluginContext::within(id, row, self.surroundings.clone(), self.scope, self.presets.clone());
        self.booted().push(BootedRow { cx: cx.clone(), plugin: None });
        let mounted = mount::<P>(cx.clone(), config, inject).await;
        let mounted = mounted.map_err(|source| BootError::Mount { row: id.to_owned(), plugin: P::NAME, source })?;
        let plugin: Arc<dyn Any + Send + Sync> = mounted.plugin();
        if let Some(row) = self.booted().iter_mut().find(|row| row.cx.is(&cx)) {
            row.plugin = Some(plugin);
        }
        Ok(mounted)
    }

    /// Mounts a row unless it is off. `given` yields its config and what it injects, which are there for a row that is on: what it
    /// requires is on too.
    ///
    /// # Errors
    /// The plugin's own.
    pub async fn mount_if_on<P: Plugin>(
        &mut self,
        row: usize,
        id: &str,
        given: impl FnOnce() -> Option<(P::Config, P::Inject)>,
    ) -> Result<Option<Mounted<P>>, BootError> {
        let is_on = self.decided.as_ref().is_none_or(|rows| rows.is_on(row));
        match is_on.then(given).flatten() {
            Some((config, inject)) => self.mount(row, id, config, inject).await.map(Some),
            None => Ok(None),
        }
    }

    /// Offers a preset, which mounts when an agent first selects it. `given` is what its rows take from the composition.
    pub fn offer<G>(&mut self, name: &'static str, given: G, mount: for<'a> fn(&'a mut Boot, G) -> BoxFuture<'a, Result<(), BootError>>)
    where
        G: Clone + Send + Sync + 'static,
    {
        let (profile, surroundings, rows) = (self.profile, self.surroundings.clone(), Arc::clone(&self.rows));
        let (presets, decided) = (self.presets.clone(), self.decided.clone());
        let boot = move |scope| Boot {
            profile,
            surroundings: surroundings.clone(),
            overrides: Vec::new(),
            // The configs of presets were made with all others.
            #[cfg(feature = "overlays")]
            replaced: std::collections::BTreeMap::new(),
            decided: decided.clone(),
            scope: Some(scope),
            presets: presets.clone(),
            rows: Arc::clone(&rows),
        };
        let mount = move |mut boot: Boot| -> BoxFuture<'static, Result<(), BootError>> {
            let given = given.clone();
            Box::pin(async move {
                let mounted = mount(&mut boot, given).await;
                if mounted.is_err() {
                    boot.undo().await;
                }
                mounted
            })
        };
        self.presets.offer(name, boot, mount);
    }

    /// Ends the mounting: what is left are the ways in.
    #[must_use]
    pub fn finish(&mut self) -> Entries {
        Entries::default()
    }

    /// Stops work in every row, then undoes each row in reverse order of mounting.
    pub async fn teardown(&self) -> TeardownReport {
        self.presets.end().await;
        let rows = std::mem::take(&mut *self.booted());
        unwind(&rows).await
    }

    /// Undoes what mounted of a preset.
    async fn undo(&self) {
        let mut own = Vec::new();
        {
            let mut rows = self.booted();
            let (undone, kept): (Vec<BootedRow>, Vec<BootedRow>) = rows.drain(..).partition(|row| row.cx.scope() == self.scope);
            *rows = kept;
            own.extend(undone);
        }
        unwind(&own).await;
    }

    fn booted(&self) -> MutexGuard<'_, Vec<BootedRow>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn unwind(rows: &[BootedRow]) -> TeardownReport {
    let mut report = TeardownReport::default();
    for BootedRow { cx, .. } in rows.iter().rev() {
        report.failed.extend(cx.quiesce().unwind().await.failed);
    }
    for BootedRow { cx, .. } in rows.iter().rev() {
        report.failed.extend(cx.effects().unwind().await.failed);
        cx.tasks().close();
        if tokio::time::timeout(TASKS_LIMIT, cx.tasks().wait()).await.is_err() {
            tracing::warn!(row = cx.row_id(), "tasks of the row did not end");
            report.failed.push(cx.row_id().to_owned());
        }
    }
    report
}

/// Turns a registry's refusal of a contribution into the boot's error.
///
/// # Errors
/// The refusal.
pub fn contributed(cx: &PluginContext, outcome: Result<(), MountError>) -> Result<(), BootError> {
    outcome.map_err(|source| BootError::Contribute { row: cx.row_id().to_owned(), source })
}

/// The generated function that mounts a composition.
pub type Wire = for<'a> fn(&'a mut Boot) -> BoxFuture<'a, Result<Entries, BootError>>;
