//! What runs when a tool is called.

use dsh_message::ContentBlock;
use dsh_runtime::BoxFuture;
use serde_json::Value;

use crate::{ToolCall, ToolError, ToolExecution, ToolOutput, ToolResult};

/// A tool's body. Plugins with `#[tool]` methods need none; it is for tools that exist only at run time or in one agent.
pub trait ToolBody: Send + Sync {
    /// Runs it with arguments that satisfy its schema. It returns soon after the call's signal is cancelled; nothing drops it.
    fn call<'a>(&'a self, args: Value, call: &'a ToolCall) -> BoxFuture<'a, Result<ToolOutput, ToolError>>;

    /// The output for a value that a review puts in place of the body's own.
    ///
    /// # Errors
    /// When the value is none that the tool could return.
    fn render(&self, args: &Value, value: Value) -> Result<ToolOutput, ToolError> {
        let _ = args;
        Ok(ToolOutput::of_value(value))
    }

    /// The last change of what the model reads, for failures too; `None` leaves it as it is.
    fn finalize(&self, execution: &ToolExecution, result: &ToolResult) -> Option<Vec<ContentBlock>> {
        let _ = (execution, result);
        None
    }
}
