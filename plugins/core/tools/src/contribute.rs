//! Plugins with tools: what `#[tool_args]` and `#[tool]` implement.

use std::sync::Arc;

use dsh_runtime::{BoxFuture, Mounted, Plugin};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{ToolBody, ToolCall, ToolError, ToolOutput, ToolSpec};

/// Arguments of a tool; `#[tool_args]` implements it.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be the arguments of a tool", note = "put `#[tool_args]` on a struct")]
pub trait ToolArgs: DeserializeOwned + Send + 'static {
    /// Digest of its declaration joined with those of its fields' types.
    const DIGEST: u64;
    /// Its JSON Schema.
    fn schema() -> Value;
}

/// A plugin with tools; `#[tool]` implements it.
#[diagnostic::on_unimplemented(message = "`{Self}` declares no tools", note = "mark a method of its `#[plugin]` block with `#[tool(…)]`")]
pub trait DeclaresTools: Plugin {
    /// Its tools under a config, in source order. Pure: the same config gives the same list.
    fn describe(config: &Self::Config) -> Vec<ToolSpec>;
    /// Runs the tool at `index` of that list.
    fn call<'a>(self: &'a Arc<Self>, index: usize, args: Value, call: &'a ToolCall) -> BoxFuture<'a, Result<ToolOutput, ToolError>>;
}

/// Reads checked arguments into their type.
///
/// # Errors
/// `INVALID_ARGS` where a number does not fit the field's type, which a schema does not say.
pub fn parse_args<T: ToolArgs>(args: Value) -> Result<T, ToolError> {
    serde_json::from_value(args).map_err(|error| ToolError::invalid_args(&error.to_string()))
}

/// A tool of a mounted plugin.
pub(crate) struct PluginTool<P> {
    plugin: Arc<P>,
    index: usize,
}

impl<P: DeclaresTools> PluginTool<P> {
    /// The tools of a plugin with their bodies.
    pub(crate) fn of(mounted: &Mounted<P>) -> impl Iterator<Item = (ToolSpec, Arc<dyn ToolBody>)> {
        let plugin = mounted.plugin();
        P::describe(mounted.config()).into_iter().enumerate().map(move |(index, spec)| {
            let body: Arc<dyn ToolBody> = Arc::new(Self { plugin: Arc::clone(&plugin), index });
            (spec, body)
        })
    }
}

impl<P: DeclaresTools> ToolBody for PluginTool<P> {
    fn call<'a>(&'a self, args: Value, call: &'a ToolCall) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        P::call(&self.plugin, self.index, args, call)
    }
}
