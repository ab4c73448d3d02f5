//! What the log says of repeated calls.

use dsh_message::LlmFailure;
use dsh_runtime::session_event;
use serde::{Deserialize, Serialize};

/// A failed call is repeated after a pause, which begins now.
#[session_event(name = "llm/retry")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmRetry {
    /// Names the chain of repetitions.
    pub retry_id: String,
    /// The turn.
    pub turn: u64,
    /// The step.
    pub step: u64,
    /// The route whose call failed.
    pub provider: String,
    /// Whether the policy has a maximum.
    pub mode: RetryMode,
    /// The policy in words, to tell one from another.
    pub policy_key: String,
    /// Number of the repetition in its chain, from 1.
    pub retry: u64,
    /// Most repetitions of the chain; present exactly in the mode `normal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_retries: Option<u32>,
    /// The pause in milliseconds; it may have a fraction.
    pub delay_ms: f64,
    /// Why the call failed.
    pub failure: LlmFailure,
}

/// Whether repetition ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RetryMode {
    /// After the policy's maximum.
    Normal,
    /// Never.
    Always,
}

/// The pause is over and the call is repeated now.
#[session_event(name = "llm/retry-started")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LlmRetryStarted {
    /// The chain.
    pub retry_id: String,
    /// The turn.
    pub turn: u64,
    /// The step.
    pub step: u64,
    /// Number of the repetition.
    pub retry: u64,
}

impl LlmRetry {
    /// What tells the chain: turn, step, route and policy of the call.
    pub(crate) fn chain(&self) -> (u64, u64, &str, &str) {
        (self.turn, self.step, &self.provider, &self.policy_key)
    }

    /// The record of the end of the pause.
    pub(crate) fn started(&self) -> LlmRetryStarted {
        LlmRetryStarted { retry_id: self.retry_id.clone(), turn: self.turn, step: self.step, retry: self.retry }
    }
}
