//! Times as people and other programs read them: ISO 8601, in UTC.

use super::Timestamp;

const MILLIS_PER_DAY: i64 = 86_400_000;
/// Days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;
/// Days from March 1 of year 0 to January 1, 1970.
const TO_1970: i64 = 719_468;

impl Timestamp {
    /// The time in UTC, to the second: `2026-12-01T03:04:05Z`.
    #[must_use]
    pub fn utc(self) -> String {
        format!("{}Z", seconds(self))
    }

    /// The time in UTC, to the millisecond: `2026-12-01T03:04:05.678Z`.
    #[must_use]
    pub fn utc_millis(self) -> String {
        format!("{}.{:03}Z", seconds(self), self.0.rem_euclid(1000))
    }
}

fn seconds(time: Timestamp) -> String {
    let (days, seconds) = (time.0.div_euclid(MILLIS_PER_DAY), time.0.rem_euclid(MILLIS_PER_DAY) / 1000);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Year, month and day of a number of days since 1970. Years are counted from March, so that a leap day is the last of its year.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + TO_1970;
    let (era, day_of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (951_868_799_999, "2000-02-29T23:59:59Z"),
            (1_709_251_199_000, "2024-02-29T23:59:59Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00Z"),
            (1_790_000_000_000, "2026-09-21T14:13:20Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(Timestamp(millis).utc(), text);
        }
    }

    #[test]
    fn milliseconds_are_told_where_they_are_asked_for() {
        assert_eq!(Timestamp(1_790_000_000_007).utc_millis(), "2026-09-21T14:13:20.007Z");
        assert_eq!(Timestamp(-1).utc_millis(), "1969-12-31T23:59:59.999Z");
    }
}
