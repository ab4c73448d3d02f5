//! A binary in miniature.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use dsh_runtime::boot::{Boot, BootError};
use dsh_runtime::{
    BoxFuture, CancellationToken, Environment, Identity, ManualClock, Mounted, NoConfig, NoInject, Plugin, PluginContext, Process,
    SequentialIds, Surroundings, Timestamp, Vocabulary,
};
use tempfile::TempDir;

use crate::row::Row;
use crate::{Sessions, Tooling};

/// When a harness's clock stands at first: 2026-09-21 in UTC.
const START: Timestamp = Timestamp(1_790_000_000_000);

/// The binary that a harness stands for.
const IDENTITY: Identity = Identity {
    profile: "test",
    aliases: &[],
    version: "0.0.0",
    digest: "0123456789abcdef",
    serves: false,
    verbs: &[],
    vocabulary: Vocabulary::EMPTY,
};

/// Mounts the plugins of a test in the order of the calls and takes them down in reverse. The clock stands still, ids count
/// from 1, the environment is made up, and the working folder is a temporary one.
pub struct Harness {
    boot: Boot,
    surroundings: Surroundings,
    clock: Arc<ManualClock>,
    folder: TempDir,
    contexts: Vec<PluginContext>,
    pub(crate) sessions: Option<Arc<Sessions>>,
    pub(crate) tooling: Option<Arc<Tooling>>,
}

impl Default for Harness {
    fn default() -> Self {
        Self::new()
    }
}

impl Harness {
    /// A harness whose environment has `HOME` alone, which is its folder.
    ///
    /// # Panics
    /// When no temporary folder can be made.
    #[must_use]
    pub fn new() -> Self {
        Self::with_environment([] as [(&str, &str); 0])
    }

    /// A harness with more variables.
    ///
    /// # Panics
    /// When no temporary folder can be made.
    #[must_use]
    pub fn with_environment(variables: impl IntoIterator<Item = (impl Into<OsString>, impl Into<OsString>)>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let home = (OsString::from("HOME"), folder.path().as_os_str().to_owned());
        let variables = [home].into_iter().chain(variables.into_iter().map(|(name, value)| (name.into(), value.into())));
        let clock = Arc::new(ManualClock::at(START));
        let surroundings = Surroundings {
            clock: Arc::clone(&clock) as _,
            ids: Arc::new(SequentialIds::default()),
            environment: Arc::new(Environment::of(variables, folder.path())),
            shutdown: CancellationToken::new(),
            process: Process::of(&IDENTITY),
        };
        let boot = Boot::new("test", surroundings.clone());
        Self { boot, surroundings, clock, folder, contexts: Vec::new(), sessions: None, tooling: None }
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &ManualClock {
        &self.clock
    }

    /// What the plugins share.
    #[must_use]
    pub fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// The working folder; removed with the harness.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Mounts a plugin as the next row.
    ///
    /// # Panics
    /// When it does not mount.
    pub async fn mount<P: Plugin>(&mut self, id: &str, config: P::Config, inject: P::Inject) -> Mounted<P> {
        self.try_mount(id, config, inject).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Mounts a plugin as the next row.
    ///
    /// # Errors
    /// The plugin's own.
    pub async fn try_mount<P: Plugin>(&mut self, id: &str, config: P::Config, inject: P::Inject) -> Result<Mounted<P>, BootError> {
        let mounted = self.boot.mount::<P>(self.contexts.len(), id, config, inject).await?;
        self.contexts.push(mounted.context().clone());
        Ok(mounted)
    }

    /// Offers a preset, whose rows `mount` mounts when an agent first selects it; `given` is what they take from the others.
    pub fn offer<G>(&mut self, name: &'static str, given: G, mount: for<'a> fn(&'a mut Boot, G) -> BoxFuture<'a, Result<(), BootError>>)
    where
        G: Clone + Send + Sync + 'static,
    {
        self.boot.offer(name, given, mount);
    }

    /// The context of a row that does nothing, to register things with.
    ///
    /// # Panics
    /// Never: the row mounts.
    pub async fn context(&mut self, id: &str) -> PluginContext {
        self.mount::<Row>(id, NoConfig {}, NoInject {}).await.context().clone()
    }

    /// Takes all rows down as a binary does.
    ///
    /// # Panics
    /// When an effect panics, takes too long or is recorded after its row was undone, or a task of a row does not end.
    pub async fn teardown(self) {
        let report = self.boot.teardown().await;
        assert!(report.failed.is_empty(), "these rows were not undone: {:?}", report.failed);
        let left = self.contexts.iter().filter(|cx| !cx.effects().is_empty() || !cx.quiesce().is_empty());
        let left: Vec<&str> = left.map(PluginContext::row_id).collect();
        assert!(left.is_empty(), "effects were recorded after these rows were undone: {left:?}");
    }
}
