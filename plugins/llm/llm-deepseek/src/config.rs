//! The row's config.

use std::collections::BTreeSet;
use std::time::Duration;

use dsh_message::RetryPolicy;
use dsh_runtime::{MountError, SecretEnv, config};

/// How DeepSeek's models are called.
#[config]
pub struct Config {
    /// Environment variable that holds the API key; read for each call.
    #[config(default = "DEEPSEEK_API_KEY")]
    pub api_key_env: SecretEnv,
    /// Address of the API. When absent, the variable `DEEPSEEK_BASE_URL`, then `https://api.deepseek.com`.
    #[config(name = "baseURL", non_blank)]
    pub base_url: Option<String>,
    /// Whether models think. `disabled` limits every call to the effort `off`; absent leaves it to the provider.
    pub thinking: Option<Thinking>,
    /// Effort of calls that state none. When absent, `high`, or `off` where thinking is disabled.
    pub reasoning_effort: Option<Effort>,
    /// Ceiling of output tokens for calls and models that state none.
    #[config(default = 256_000, min = 1, max = 9_007_199_254_740_991)]
    pub max_tokens: u64,
    /// Tokens that request and reply of a model share when its entry states none.
    #[config(default = 1_000_000, min = 1, max = 9_007_199_254_740_991)]
    pub default_context_window: u64,
    /// Models to offer; empty offers `deepseek-v4-flash` and `deepseek-v4-pro`. Other ids work too.
    #[config(default = [])]
    pub models: Vec<ModelConfig>,
    /// Longest silence of the provider within a call, in milliseconds.
    #[config(default = 300_000, min = 1, max = 2_147_483_647)]
    pub stream_idle_timeout_ms: u64,
    /// When a failed call may be repeated.
    #[config(default = {})]
    pub retry_policy: RetryConfig,
}

/// Whether models think.
#[config]
pub enum Thinking {
    /// They do.
    Enabled,
    /// They do not.
    Disabled,
}

/// How much a model thinks.
#[config]
pub enum Effort {
    /// Not at all.
    Off,
    /// A little.
    Low,
    /// Much.
    High,
    /// As much as it can.
    Max,
}

/// A model.
#[config]
pub struct ModelConfig {
    /// Model id.
    #[config(non_empty)]
    pub id: String,
    /// Label for people.
    #[config(non_empty)]
    pub name: Option<String>,
    /// Detail of the label.
    pub description: Option<String>,
    /// Tokens that request and reply share.
    #[config(min = 1, max = 9_007_199_254_740_991)]
    pub context_window: Option<u64>,
    /// Ceiling of output tokens.
    #[config(min = 1, max = 9_007_199_254_740_991)]
    pub max_tokens: Option<u64>,
}

/// When a failed call may be repeated.
#[config]
pub struct RetryConfig {
    /// `normal` repeats a bounded number of times, `always` without end.
    #[config(default = "normal")]
    pub mode: RetryMode,
    /// Repetitions after the first failure; of no effect in the mode `always`.
    #[config(default = 5)]
    pub max_retries: u32,
    /// Codes of failures worth repeating; of no effect in the mode `always`.
    #[config(default = ["EMPTY_RESPONSE", "RATE_LIMIT", "SERVER", "TIMEOUT", "TRANSPORT"], non_empty)]
    pub retryable_codes: Vec<String>,
    /// Pauses between repetitions.
    #[config(default = {})]
    pub backoff: Backoff,
}

/// Whether repetition ends.
#[config]
pub enum RetryMode {
    /// After `maxRetries`.
    Normal,
    /// Never.
    Always,
}

/// Pauses between repetitions.
#[config]
pub struct Backoff {
    /// First pause in milliseconds; it doubles with each.
    #[config(default = 500, min = 1, max = 2_147_483_647)]
    pub initial_delay_ms: u64,
    /// Longest pause in milliseconds.
    #[config(default = 10_000, min = 1, max = 2_147_483_647)]
    pub max_delay_ms: u64,
    /// Part of a pause that is random.
    #[config(default = 0.1, min = 0.0, max = 1.0)]
    pub jitter_ratio: f64,
}

impl Config {
    /// Checks what the fields' own bounds cannot say.
    pub(crate) fn check(&self) -> Result<(), MountError> {
        if self.thinking == Some(Thinking::Disabled) && self.reasoning_effort.is_some_and(|effort| effort != Effort::Off) {
            return Err(MountError::new("`reasoningEffort` must be `off` or absent where `thinking` is `disabled`"));
        }
        unique("models", self.models.iter().map(|model| model.id.as_str()))?;
        let retry = &self.retry_policy;
        unique("retryPolicy.retryableCodes", retry.retryable_codes.iter().map(String::as_str))?;
        let Backoff { initial_delay_ms, max_delay_ms, .. } = retry.backoff;
        if initial_delay_ms > max_delay_ms {
            let message = format!("`retryPolicy.backoff.initialDelayMs` ({initial_delay_ms}) is above `maxDelayMs` ({max_delay_ms})");
            return Err(MountError::new(message));
        }
        Ok(())
    }

    /// The effort of calls that state none.
    pub(crate) fn default_effort(&self) -> Effort {
        self.reasoning_effort.unwrap_or(if self.thinking == Some(Thinking::Disabled) { Effort::Off } else { Effort::High })
    }

    pub(crate) fn stream_idle_timeout(&self) -> Duration {
        Duration::from_millis(self.stream_idle_timeout_ms)
    }
}

impl RetryConfig {
    pub(crate) fn policy(&self) -> RetryPolicy {
        RetryPolicy {
            max_retries: match self.mode {
                RetryMode::Normal => Some(self.max_retries),
                RetryMode::Always => None,
            },
            codes: self.retryable_codes.clone(),
            initial_delay: Duration::from_millis(self.backoff.initial_delay_ms),
            max_delay: Duration::from_millis(self.backoff.max_delay_ms),
            jitter: self.backoff.jitter_ratio,
        }
    }
}

fn unique<'a>(field: &str, items: impl Iterator<Item = &'a str>) -> Result<(), MountError> {
    let mut seen = BTreeSet::new();
    for item in items {
        if !seen.insert(item) {
            return Err(MountError::new(format!("`{field}` lists `{item}` twice")));
        }
    }
    Ok(())
}
