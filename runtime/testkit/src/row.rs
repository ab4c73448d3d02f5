//! A row of a test's own.

use dsh_runtime::{BoxFuture, MountError, NoConfig, NoInject, Plugin, PluginContext};

/// A plugin that does nothing: its context is what a test registers things with. It is not declared with the macro, so that no
/// catalog lists it.
pub(crate) struct Row;

impl Plugin for Row {
    type Config = NoConfig;
    type Inject = NoInject;
    const NAME: &'static str = "row";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");
    const DIGEST: u64 = 0;
    const SOURCE_DIGEST: u64 = 0;
    const PROVIDES: &'static [&'static str] = &[];
    const LISTENS: &'static [&'static str] = &[];

    fn mount(_cx: &PluginContext, _config: NoConfig, _inject: NoInject) -> BoxFuture<'_, Result<Self, MountError>> {
        Box::pin(async { Ok(Self) })
    }
}
