//! What a plugin is given when it mounts.

use std::future::Future;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::{Clock, SystemClock};
use crate::config::{SecretEnv, SecretValue};
use crate::effect::EffectStack;
use crate::entry::Identity;
use crate::environment::Environment;
use crate::ids::{IdSource, RandomIds};
use crate::presets::Presets;
use crate::process::Process;
use crate::scope::ScopeId;

/// What all plugins of a binary share: time, ids, environment, the process and its end.
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
    /// The process.
    pub process: Process,
}

impl Surroundings {
    /// The machine's, for no binary in particular.
    #[must_use]
    pub fn of_process() -> Self {
        Self {
            clock: Arc::new(SystemClock::start()),
            ids: Arc::new(RandomIds),
            environment: Arc::new(Environment::of_process()),
            shutdown: CancellationToken::new(),
            process: Process::default(),
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
    scope: Option<ScopeId>,
    presets: Presets,
    effects: EffectStack,
    quiesce: EffectStack,
    tasks: TaskTracker,
}

impl PluginContext {
    /// A context for the row `row_id`, which stands at place `row` of a composition without presets.
    #[must_use]
    pub fn new(row_id: &str, row: usize, surroundings: Surroundings) -> Self {
        Self::within(row_id, row, surroundings, None, Presets::default())
    }

    /// The same with presets, for a row of one of them where there is a scope.
    pub(crate) fn within(row_id: &str, row: usize, surroundings: Surroundings, scope: Option<ScopeId>, presets: Presets) -> Self {
        Self {
            inner: Arc::new(Inner {
                row_id: row_id.to_owned(),
                row,
                surroundings,
                scope,
                presets,
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

    /// Where the row registers what it adds to others: nowhere in particular for a row of the composition, which is for the whole
    /// binary; in the preset's scope for a row of a preset, which is for agents that joined it.
    #[must_use]
    pub fn scope(&self) -> Option<ScopeId> {
        self.inner.scope
    }

    /// The presets of the composition, for those who create agents.
    #[must_use]
    pub fn presets(&self) -> &Presets {
        &self.inner.presets
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

    /// What the binary knows of itself; none where no binary is, as in a unit test.
    #[must_use]
    pub fn identity(&self) -> Option<&'static Identity> {
        self.inner.surroundings.process.identity()
    }

    /// Reads a secret now; it is never kept in a config or printed. `None` when the variable is not set or not Unicode.
    #[must_use]
    pub fn secret(&self, reference: &SecretEnv) -> Option<SecretValue> {
        self.environment().var(reference.variable()).map(|value| SecretValue::new(value.to_owned()))
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

    /// Whether both are the context of one row.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// The row's tasks.
    pub(crate) fn tasks(&self) -> &TaskTracker {
        &self.inner.tasks
    }
}
