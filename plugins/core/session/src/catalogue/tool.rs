//! Tool calls and their results.

use std::sync::Arc;

use dsh_json::{JsString, Json};
use dsh_message::{CallId, Message};
use dsh_runtime::session_event;
use serde::{Deserialize, Serialize};

use crate::SurfaceData;

/// A tool call starts, before any policy, approval or body.
#[session_event(name = "tool/call")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallRecord {
    /// The turn.
    pub turn: u64,
    /// The step.
    pub step: u64,
    /// The call.
    pub call_id: CallId,
    /// The tool's name as the model wrote it.
    pub name: JsString,
    /// The arguments as the model wrote them.
    pub arguments: JsString,
}

/// A tool call's result enters the model-visible list.
#[session_event(name = "tool/result", surface)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResultRecord {
    /// The turn.
    pub turn: u64,
    /// The step.
    pub step: u64,
    /// The result.
    pub message: Arc<Message>,
    /// Name and code of a failure that has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolFailure>,
    /// What clients need to show the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta: Option<Json>,
}

/// Name and code of a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolFailure {
    /// Name of its kind.
    pub name: String,
    /// Code.
    pub code: String,
}

impl SurfaceData for ToolResultRecord {
    fn message(&self) -> Option<Arc<Message>> {
        Some(Arc::clone(&self.message))
    }
}
