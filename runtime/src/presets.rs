//! Presets: sub-compositions that an agent may join. Each mounts once in a process, when it is first selected, into a scope of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::BoxFuture;
use crate::boot::{Boot, BootError};
use crate::scope::ScopeId;

/// A preset that has mounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    name: &'static str,
    scope: ScopeId,
}

impl Preset {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The scope of what its rows register.
    #[must_use]
    pub fn scope(self) -> ScopeId {
        self.scope
    }
}

/// Why a preset cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum PresetError {
    /// The composition has none of this name.
    #[error("there is no preset \"{name}\"; {}", there_are(known))]
    Unknown {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
    /// A row of it did not mount. What had mounted of it was undone, and the next who selects it tries again.
    #[error("preset \"{name}\" did not start: {source}")]
    Mount {
        /// The preset.
        name: &'static str,
        /// What happened.
        source: BootError,
    },
    /// The binary is being torn down.
    #[error("preset \"{name}\" was not started: the process is ending")]
    Ending {
        /// The preset.
        name: String,
    },
}

fn there_are(known: &[&str]) -> String {
    match known {
        [] => "this composition has no presets".to_owned(),
        known => format!("there are {}", known.join(", ")),
    }
}

/// The presets of a composition. Cloning shares them.
#[derive(Clone, Default)]
pub struct Presets {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    offered: Mutex<Vec<Offered>>,
    /// Mounting that is under way.
    tasks: TaskTracker,
    ending: CancellationToken,
}

#[derive(Clone)]
struct Offered {
    preset: Preset,
    /// Whether it has mounted; held while it mounts.
    has_mounted: Arc<tokio::sync::Mutex<bool>>,
    mount: Arc<dyn Fn() -> BoxFuture<'static, Result<(), BootError>> + Send + Sync>,
}

impl Presets {
    /// Names of the presets, in order.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.offered().iter().map(|offered| offered.preset.name).collect()
    }

    /// The preset of a name, mounted now when nobody selected it before. Once begun, mounting goes on even when nobody waits for it.
    ///
    /// # Errors
    /// There is none, it does not mount, or the process is ending.
    pub async fn select(&self, name: &str) -> Result<Preset, PresetError> {
        if self.inner.ending.is_cancelled() {
            return Err(PresetError::Ending { name: name.to_owned() });
        }
        let found = self.offered().iter().find(|offered| offered.preset.name == name).cloned();
        let Some(Offered { preset, has_mounted, mount }) = found else {
            return Err(PresetError::Unknown { name: name.to_owned(), known: self.names() });
        };
        let mut held = has_mounted.lock_owned().await;
        if *held {
            return Ok(preset);
        }
        let ending = self.inner.ending.clone();
        let name = preset.name;
        let mounting = async move {
            let mounted = tokio::select! {
                biased;
                () = ending.cancelled() => return Err(PresetError::Ending { name: name.to_owned() }),
                mounted = mount() => mounted,
            };
            mounted.map_err(|source| PresetError::Mount { name, source })?;
            *held = true;
            Ok(preset)
        };
        // A plugin that panics while it mounts is contained by the boot: only the end of the process ends the task early.
        self.inner.tasks.spawn(mounting).await.unwrap_or_else(|_| Err(PresetError::Ending { name: name.to_owned() }))
    }

    /// Adds a preset, whose rows `mount` mounts with a boot of its own.
    pub(crate) fn offer(
        &self,
        name: &'static str,
        boot: impl Fn(ScopeId) -> Boot + Send + Sync + 'static,
        mount: impl Fn(Boot) -> BoxFuture<'static, Result<(), BootError>> + Send + Sync + 'static,
    ) {
        let preset = Preset { name, scope: ScopeId::of_preset() };
        let mount = Arc::new(move || mount(boot(preset.scope)));
        self.offered().push(Offered { preset, has_mounted: Arc::default(), mount });
    }

    /// Gives up what is being mounted; from here on none mounts.
    pub(crate) async fn end(&self) {
        self.inner.ending.cancel();
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
        // What is left of them are handles on rows of the composition.
        self.offered().clear();
    }

    fn offered(&self) -> MutexGuard<'_, Vec<Offered>> {
        self.inner.offered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
