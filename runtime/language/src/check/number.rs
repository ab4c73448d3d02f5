//! Numbers as a composition writes them.

/// A whole number in plain decimal digits: no `_`, no leading zero, no other base, since readers differ on what those mean.
#[must_use]
pub fn parse_integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits == "0" || (!digits.starts_with('0') && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    if is_plain { text.parse().ok() } else { None }
}

/// A finite number in the form of JSON.
#[must_use]
pub fn parse_float(text: &str) -> Option<f64> {
    serde_json::from_str::<serde_json::Number>(text).ok()?.as_f64().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers() {
        assert_eq!(parse_integer("-12"), Some(-12));
        assert_eq!(parse_integer("0"), Some(0));
        for text in ["", "-", "+1", "01", "1_000", "0x10", "1.0", "1e3", " 1", "１"] {
            assert_eq!(parse_integer(text), None, "{text}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(parse_float("1"), Some(1.0));
        assert_eq!(parse_float("-1.5e3"), Some(-1500.0));
        for text in ["", ".5", "1.", "nan", ".inf", "1e999", "0x1", "1_0"] {
            assert_eq!(parse_float(text), None, "{text}");
        }
    }
}
