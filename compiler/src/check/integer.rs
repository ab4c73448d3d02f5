//! The integer types of config fields.

use dsh_declare::model::IntType;

/// The type's name and its inclusive range; `usize` is that of the supported targets, which all have 64 bits.
#[must_use]
pub fn limits(int: IntType) -> (&'static str, i128, i128) {
    match int {
        IntType::U16 => ("u16", 0, i128::from(u16::MAX)),
        IntType::U32 => ("u32", 0, i128::from(u32::MAX)),
        IntType::U64 => ("u64", 0, i128::from(u64::MAX)),
        IntType::I64 => ("i64", i128::from(i64::MIN), i128::from(i64::MAX)),
        IntType::Usize => ("usize", 0, i128::from(u64::MAX)),
    }
}

/// A whole number in plain decimal digits: no `_`, no leading zero, no other base, since readers differ on what those mean.
#[must_use]
pub fn parse(text: &str) -> Option<i128> {
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
        assert_eq!(parse("-12"), Some(-12));
        assert_eq!(parse("0"), Some(0));
        for text in ["", "-", "+1", "01", "1_000", "0x10", "1.0", "1e3", " 1", "１"] {
            assert_eq!(parse(text), None, "{text}");
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
