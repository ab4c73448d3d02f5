//! Tools made of functions.

use std::sync::Arc;

use dsh_runtime::BoxFuture;
use dsh_tools::{Render, ToolBody, ToolCall, ToolError, ToolOutput, ToolSpec};
use serde_json::{Value, json};

struct FunctionTool<F>(F);

impl<F> ToolBody for FunctionTool<F>
where
    F: for<'a> Fn(Value, &'a ToolCall) -> BoxFuture<'a, Result<ToolOutput, ToolError>> + Send + Sync,
{
    fn call<'a>(&'a self, args: Value, call: &'a ToolCall) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        (self.0)(args, call)
    }
}

/// A tool's body made of a function, to be registered with [`dsh_tools::Tools::register`].
pub fn tool_body<F>(run: F) -> Arc<dyn ToolBody>
where
    F: for<'a> Fn(Value, &'a ToolCall) -> BoxFuture<'a, Result<ToolOutput, ToolError>> + Send + Sync + 'static,
{
    Arc::new(FunctionTool(run))
}

/// A tool that takes anything, runs alone and has no time limit.
#[must_use]
pub fn tool_spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("Runs {name}."),
        parameters: json!({ "type": "object", "properties": {} }),
        render: Render::Generic,
        concurrent: false,
        timeout_ms: None,
    }
}
