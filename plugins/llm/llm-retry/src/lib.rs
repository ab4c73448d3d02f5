//! Repeats failed model calls: a record, a pause that can be given up, another record, another attempt.

mod backoff;
mod chains;
mod event;
mod invariant;
mod plugin;
mod policy_key;
mod waits;

pub use event::{LlmRetry, LlmRetryStarted, RetryMode};
pub use plugin::{Inject, LlmRetries};
