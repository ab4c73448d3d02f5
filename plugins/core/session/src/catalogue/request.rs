//! What a model was asked, besides the messages.

use dsh_runtime::session_event;
use serde::{Deserialize, Serialize};

use crate::EpochHeader;

/// The header of the requests that follow, whole.
#[session_event(name = "request/header")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestHeader {
    /// The header.
    pub header: EpochHeader,
    /// Why it is written.
    pub reason: HeaderReason,
}

/// Why a header is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HeaderReason {
    /// The log had none.
    Initial,
    /// First request after the session was taken up again.
    Resume,
    /// It differs from the one in force.
    Change,
}

/// Route and capacity of the requests that follow.
#[session_event(name = "request/context")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestContext {
    /// Route.
    pub provider: String,
    /// Model id.
    pub model: String,
    /// Tokens that request and reply share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
}
