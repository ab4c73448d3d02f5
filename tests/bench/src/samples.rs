//! Measured values of one kind.

use std::time::Duration;

/// Values in one unit, in the order in which they were measured.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    /// Adds a time, in milliseconds.
    pub fn time(&mut self, time: Duration) {
        self.0.push(time.as_secs_f64() * 1000.0);
    }

    /// Adds a value.
    pub fn value(&mut self, value: f64) {
        self.0.push(value);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The least.
    pub fn min(&self) -> f64 {
        self.at(0.0)
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        self.at(0.5)
    }

    /// The one that 95 of 100 do not exceed.
    pub fn p95(&self) -> f64 {
        self.at(0.95)
    }

    /// The value below which this part of all lies; not a number without values.
    fn at(&self, part: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let place = (last as f64 * part).round() as usize;
        sorted.get(place).copied().unwrap_or(f64::NAN)
    }
}

impl FromIterator<Duration> for Samples {
    fn from_iter<I: IntoIterator<Item = Duration>>(times: I) -> Self {
        let mut samples = Self::default();
        times.into_iter().for_each(|time| samples.time(time));
        samples
    }
}
