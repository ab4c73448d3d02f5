//! Dates of HTTP headers.

use dsh_runtime::Timestamp;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Reads the form that senders must use (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let parts: Vec<&str> = text.split(' ').collect();
    let [_, day, month, year, time, "GMT"] = parts.as_slice() else { return None };
    let number = |digits: &str, max: i64| digits.parse::<i64>().ok().filter(|number| (0..=max).contains(number));
    let month = i64::try_from(MONTHS.iter().position(|name| name == month)?).ok()? + 1;
    let days = days_since_epoch(number(year, 9999)?, month, number(day, 31)?);
    let clock: Vec<&str> = time.split(':').collect();
    let [hour, minute, second] = clock.as_slice() else { return None };
    let seconds = number(hour, 23)? * 3600 + number(minute, 59)? * 60 + number(second, 60)?;
    Some(Timestamp((days * 86_400 + seconds) * 1000))
}

/// Days from 1970-01-01 in the Gregorian calendar. Years begin in March, so that the leap day is the last of its year.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    // An era of 400 years has 146,097 days; 719,468 days lie between the start of era 0 and 1970-01-01.
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn dates_become_milliseconds() {
        for (text, millis) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777_000)),
            ("Thu, 29 Feb 2024 23:59:59 GMT", Some(1_709_251_199_000)),
            ("Tue, 01 Mar 2050 00:00:00 GMT", Some(2_529_705_600_000)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 25:49:37 GMT", None),
            ("Sun, 06 Nov 1994 08:49:37 UTC", None),
            ("", None),
        ] {
            assert_eq!(parse(text).map(|time| time.0), millis, "{text}");
        }
    }
}
