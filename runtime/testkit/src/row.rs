//! A row of a test's own.

use dsh_runtime::{MountError, PluginContext, plugin};

/// A plugin that does nothing: its context is what a test registers things with.
pub struct Row;

#[plugin()]
impl Row {
    /// Nothing to start.
    pub async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self)
    }
}
