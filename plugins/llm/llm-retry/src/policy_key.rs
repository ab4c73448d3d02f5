//! A policy in words.

use dsh_json::{JsonError, to_text};
use dsh_message::RetryPolicy;

use crate::backoff::milliseconds;

/// The policy as JSON text: mode, maximum, codes, first and longest pause, random part. Maximum and codes are left out of an
/// endless one, on which they have no effect.
///
/// # Errors
/// Never for figures that are finite.
pub(crate) fn policy_key(policy: &RetryPolicy) -> Result<String, JsonError> {
    let (first, longest) = (milliseconds(policy.initial_delay), milliseconds(policy.max_delay));
    // Makes zero of minus zero, which has no text.
    let jitter = policy.jitter + 0.0;
    match policy.max_retries {
        Some(most) => to_text(&("normal", most, &policy.codes, first, longest, jitter)),
        None => to_text(&("always", first, longest, jitter)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use dsh_message::RetryPolicy;

    use super::policy_key;

    #[test]
    fn a_bounded_policy_is_told_in_full() {
        let key = policy_key(&RetryPolicy::default()).unwrap();
        assert_eq!(key, r#"["normal",5,["EMPTY_RESPONSE","RATE_LIMIT","SERVER","TIMEOUT","TRANSPORT"],500,10000,0.1]"#);
    }

    #[test]
    fn an_endless_policy_is_told_without_what_has_no_effect() {
        let policy = RetryPolicy { max_retries: None, jitter: -0.0, initial_delay: Duration::from_micros(1_500), ..RetryPolicy::default() };
        assert_eq!(policy_key(&policy).unwrap(), r#"["always",1.5,10000,0]"#);
    }
}
