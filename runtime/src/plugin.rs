//! The life cycle of a plugin.

use std::fmt::Display;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;

use crate::BoxFuture;
use crate::config::ConfigMeta;
use crate::context::PluginContext;

/// A plugin, declared by `#[plugin]` on one `impl` block.
pub trait Plugin: Sized + Send + Sync + 'static {
    /// Its configuration.
    type Config: ConfigMeta;
    /// What it needs.
    type Inject: InjectMeta;
    /// Name by which a row mounts it.
    const NAME: &'static str;
    /// Version of its package.
    const VERSION: &'static str;
    /// Digest of its declaration joined with those of config, inject, provided services and heard events.
    const DIGEST: u64;
    /// Digest of the sources of its package: of all files below `src/`, with their names.
    const SOURCE_DIGEST: u64;
    /// Ids of the services that it provides, in the order of the attribute.
    const PROVIDES: &'static [&'static str];
    /// Ids of the events that it hears, in source order.
    const LISTENS: &'static [&'static str];
    /// Starts it. What it registers is recorded in the context's effects; what it started is undone when this fails.
    fn mount(cx: &PluginContext, config: Self::Config, inject: Self::Inject) -> BoxFuture<'_, Result<Self, MountError>>;
}

/// The name of the plugin in `package`: the package's name without `dsh-`.
#[must_use]
pub const fn plugin_name(package: &'static str) -> &'static str {
    match package.as_bytes() {
        [b'd', b's', b'h', b'-', ..] => package.split_at(4).1,
        _ => package,
    }
}

/// What a plugin needs, declared by `#[derive(Inject)]`.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an inject struct", note = "add `#[derive(Inject)]`")]
pub trait InjectMeta: Send {
    /// Digest of its declaration joined with those of its services and events.
    const DIGEST: u64;
    /// Ids of the services that it asks for, in field order; an optional one starts with `?`.
    const SERVICES: &'static [&'static str];
    /// Ids of the events that it dispatches, in field order.
    const DISPATCHES: &'static [&'static str];
}

/// The config of a plugin that takes none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoConfig {}

/// The inject of a plugin that needs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoInject {}

impl InjectMeta for NoInject {
    const DIGEST: u64 = 0;
    const SERVICES: &'static [&'static str] = &[];
    const DISPATCHES: &'static [&'static str] = &[];
}

/// Why a plugin did not mount: words that say what was wrong and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct MountError {
    message: String,
    bug: bool,
}

impl MountError {
    /// From any error.
    pub fn new(message: impl Display) -> Self {
        Self { message: message.to_string(), bug: false }
    }

    /// Whether the plugin is at fault rather than what it was given or the machine.
    #[must_use]
    pub fn is_bug(&self) -> bool {
        self.bug
    }
}

impl From<String> for MountError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

/// A mounted plugin with the config and context of its row. Cloning shares the plugin.
pub struct Mounted<P: Plugin> {
    plugin: Arc<P>,
    config: P::Config,
    cx: PluginContext,
}

impl<P: Plugin> Clone for Mounted<P> {
    fn clone(&self) -> Self {
        Self { plugin: Arc::clone(&self.plugin), config: self.config.clone(), cx: self.cx.clone() }
    }
}

impl<P: Plugin> Mounted<P> {
    /// The plugin, to hand on as a service.
    #[must_use]
    pub fn plugin(&self) -> Arc<P> {
        Arc::clone(&self.plugin)
    }

    /// The row's config.
    #[must_use]
    pub fn config(&self) -> &P::Config {
        &self.config
    }

    /// The row's context.
    #[must_use]
    pub fn context(&self) -> &PluginContext {
        &self.cx
    }
}

/// Mounts a plugin. When it fails or panics, what it recorded so far is undone before this returns.
///
/// # Errors
/// The plugin's own.
pub async fn mount<P: Plugin>(cx: PluginContext, config: P::Config, inject: P::Inject) -> Result<Mounted<P>, MountError> {
    let mounting = AssertUnwindSafe(P::mount(&cx, config.clone(), inject)).catch_unwind().await;
    let panicked = |_| Err(MountError { message: "it panicked while it mounted".to_owned(), bug: true });
    match mounting.unwrap_or_else(panicked) {
        Ok(plugin) => Ok(Mounted { plugin: Arc::new(plugin), config, cx }),
        Err(error) => {
            cx.quiesce().unwind().await;
            cx.effects().unwind().await;
            Err(error)
        }
    }
}
