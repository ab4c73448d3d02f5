//! The stages of a call. Each state of a call is a type of its own, so none can be left out or done twice.

mod execute;
mod prepare;
mod settle;

pub use execute::ExecutedCall;
pub use prepare::PreparedCall;
pub use settle::SettledCall;

use crate::{Outcome, ToolError, ToolExecution, ToolResult};

/// Whether a body began to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    Started,
    NotStarted,
}

/// The result of a call whose caller may have given it up: a success does not count then, a failure of its own does.
fn unless_cancelled(execution: &ToolExecution, body: Body, result: ToolResult) -> ToolResult {
    match result.outcome {
        Outcome::Success { .. } if execution.signal().is_cancelled() => {
            let error = match body {
                Body::Started => ToolError::aborted(),
                Body::NotStarted => ToolError::aborted_before_dispatch(),
            };
            ToolResult::failure(error).with_contexts(result.additional_contexts)
        }
        _ => result,
    }
}
