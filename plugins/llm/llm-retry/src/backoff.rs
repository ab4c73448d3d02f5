//! How long to wait before a repetition.

use std::time::Duration;

use dsh_message::RetryPolicy;

/// More doublings than this leave the range of a double.
const MOST_DOUBLINGS: u64 = 1023;

/// The policy's own pause before repetition `retry` (from 1), in milliseconds. `random` is from 0 up to 1.
pub(crate) fn backoff_ms(policy: &RetryPolicy, retry: u64, random: f64) -> f64 {
    let longest = milliseconds(policy.max_delay);
    let doublings = retry.saturating_sub(1).min(MOST_DOUBLINGS) as f64;
    let pause = (milliseconds(policy.initial_delay) * doublings.exp2()).min(longest);
    (pause * (1.0 - policy.jitter + 2.0 * policy.jitter * random)).min(longest)
}

/// A duration in milliseconds; exact up to 104 days.
pub(crate) fn milliseconds(duration: Duration) -> f64 {
    duration.as_nanos() as f64 / 1_000_000.0
}

/// A number from 0 up to 1, made of the first 48 bits of a UUID. In a random one (version 4) these are all random.
pub(crate) fn fraction(uuid: &str) -> f64 {
    let digits = uuid.chars().filter_map(|character| character.to_digit(16)).take(12);
    digits.fold((0.0, 1.0 / 16.0), |(sum, unit), digit| (sum + f64::from(digit) * unit, unit / 16.0)).0
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use dsh_message::RetryPolicy;

    use super::{backoff_ms, fraction};

    #[test]
    fn the_pause_doubles_up_to_the_longest() {
        let policy = RetryPolicy { jitter: 0.0, ..RetryPolicy::default() };
        let pauses = [1, 2, 3, 4, 5, 6, 7, 5_000].map(|retry| backoff_ms(&policy, retry, 0.5));
        assert_eq!(pauses, [500.0, 1_000.0, 2_000.0, 4_000.0, 8_000.0, 10_000.0, 10_000.0, 10_000.0]);
        let none = RetryPolicy { initial_delay: Duration::ZERO, ..policy };
        assert_eq!(backoff_ms(&none, 5_000, 0.5), 0.0);
    }

    #[test]
    fn the_random_part_lies_on_both_sides_and_below_the_longest() {
        let policy = RetryPolicy { jitter: 0.5, ..RetryPolicy::default() };
        assert_eq!([0.0, 0.25, 0.5, 0.75].map(|random| backoff_ms(&policy, 1, random)), [250.0, 375.0, 500.0, 625.0]);
        assert_eq!([0.0, 0.5, 0.75].map(|random| backoff_ms(&policy, 9, random)), [5_000.0, 10_000.0, 10_000.0]);
    }

    #[test]
    fn a_fraction_is_made_of_the_first_bits_of_an_id() {
        assert_eq!(fraction("00000000-0000-4000-8000-0000000000ff"), 0.0);
        assert_eq!(fraction("80000000-0000-4000-8000-000000000001"), 0.5);
        assert_eq!(fraction("4c000000-0000-4000-8000-000000000001"), 0.296_875);
        let largest = fraction("ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert!(largest < 1.0 && largest > 0.999_999_999, "{largest}");
    }
}
