//! Failures of model calls.

use serde::{Deserialize, Serialize};

/// Why a model call failed, as the log records it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
#[serde(rename_all = "camelCase")]
pub struct LlmFailure {
    /// Words; not empty.
    pub message: String,
    /// One of the codes of the log's vocabulary (`RATE_LIMIT`, `AUTH`, …), which is open.
    pub code: String,
    /// HTTP status, 100 to 599.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// How long the provider asks to wait, in milliseconds; positive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_retry_after_ms: Option<u64>,
    /// The provider's name of the request; not empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl LlmFailure {
    /// A failure without details of a response.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { message: message.into(), code: code.to_owned(), status: None, provider_retry_after_ms: None, request_id: None }
    }
}
