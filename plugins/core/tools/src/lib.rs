//! Tools: what a model may call. Plugins declare tools, the registry decides what each agent sees, and every call passes the
//! same stages: policy, guards, body, review, result.

// The declaration macros name this crate by its public path.
extern crate self as dsh_tools;

mod arguments;
mod body;
mod call;
mod contribute;
mod decision;
mod error;
mod execution;
mod guard;
mod invariant;
mod live;
mod output;
mod pipeline;
mod register;
mod registry;
mod restriction;
mod result;
mod schema;
mod spec;
mod table;

pub use body::ToolBody;
pub use call::{CallRequest, ToolCall};
pub use contribute::{DeclaresTools, ToolArgs, parse_args};
pub use decision::{PostExecuteAction, PostExecuteDecision, PreExecuteDecision};
pub use dsh_runtime::tool_args;
pub use error::ToolError;
pub use execution::{ExecutionId, ToolAttempt, ToolExecution, ToolOutcome};
pub use guard::{Guard, Verdict};
pub use live::{ToolsChange, ToolsExecute, ToolsPostExecute, ToolsPreExecute, ToolsResult};
pub use output::ToolOutput;
pub use pipeline::{ExecutedCall, PreparedCall, SettledCall};
pub use register::RegisterError;
pub use registry::{Inject, Tools};
pub use restriction::{RestrictError, Restriction};
pub use result::{Outcome, ToolResult};
pub use schema::SchemaProblem;
pub use spec::{Render, ToolSpec};
// The code that the macros write for tools and their arguments uses these.
pub use {serde, serde_json};
