//! The only place that reads the time. Plugins ask their context; tests set it.

mod utc;

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since the Unix epoch, as the session log stamps them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// Source of the time.
pub trait Clock: Send + Sync {
    /// Wall clock. It may step back; nothing may rely on it to order events.
    fn now(&self) -> Timestamp;
    /// Time since the process started; never steps back. For durations.
    fn elapsed(&self) -> Duration;
}

/// The machine's clock.
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// Starts counting [`Clock::elapsed`] now.
    #[must_use]
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        // A clock set before 1970 yields the negative distance.
        Timestamp(match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        })
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A clock that a test sets and that stands still otherwise.
pub struct ManualClock {
    millis: AtomicI64,
    start: i64,
}

impl ManualClock {
    /// Stands at `start`.
    #[must_use]
    pub fn at(start: Timestamp) -> Self {
        Self { millis: AtomicI64::new(start.0), start: start.0 }
    }

    /// Moves by `millis`, which may be negative.
    pub fn advance(&self, millis: i64) {
        self.millis.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.millis.load(Ordering::SeqCst))
    }

    fn elapsed(&self) -> Duration {
        let passed = self.millis.load(Ordering::SeqCst).saturating_sub(self.start);
        Duration::from_millis(u64::try_from(passed).unwrap_or(0))
    }
}
