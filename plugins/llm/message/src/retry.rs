//! What a provider says about repeating failed calls.

use std::time::Duration;

/// When and how often a failed call may be repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct RetryPolicy {
    /// Most repetitions of one call; `None` repeats without end.
    pub max_retries: Option<u32>,
    /// Codes of failures worth repeating.
    pub codes: Vec<String>,
    /// Pause before the first repetition; it doubles with each.
    pub initial_delay: Duration,
    /// Longest pause.
    pub max_delay: Duration,
    /// Ratio of the pause that is random, 0 to 1.
    pub jitter: f64,
}

impl Default for RetryPolicy {
    /// The reference's own: 5 repetitions, 500 ms doubling to 10 s, a tenth random.
    fn default() -> Self {
        let codes = ["EMPTY_RESPONSE", "RATE_LIMIT", "SERVER", "TIMEOUT", "TRANSPORT"];
        Self {
            max_retries: Some(5),
            codes: codes.map(str::to_owned).to_vec(),
            initial_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(10),
            jitter: 0.1,
        }
    }
}
