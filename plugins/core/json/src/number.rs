//! Writing JSON with numbers in ECMAScript's shortest form.

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;
use serde_json::value::RawValue;

/// Why a value cannot be written as lossless JSON.
#[derive(Debug, thiserror::Error)]
#[error("not lossless JSON: {0}")]
pub struct JsonError(#[from] serde_json::Error);

/// Compact form whose numbers print as ECMAScript prints them; minus zero is refused, since JSON text of it does not survive there.
struct EcmaScript;

impl Formatter for EcmaScript {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        if value == 0.0 && value.is_sign_negative() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "minus zero"));
        }
        writer.write_all(ryu_js::Buffer::new().format_finite(value).as_bytes())
    }
}

/// The compact text of a value.
///
/// # Errors
/// When it has no lossless form.
pub fn to_text<T: Serialize + ?Sized>(value: &T) -> Result<String, JsonError> {
    let mut bytes = Vec::with_capacity(128);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, EcmaScript))?;
    String::from_utf8(bytes).map_err(|error| JsonError(serde::ser::Error::custom(error)))
}

/// The same as a value that can be embedded in another without being read again.
///
/// # Errors
/// When it has no lossless form.
pub fn to_raw<T: Serialize + ?Sized>(value: &T) -> Result<Box<RawValue>, JsonError> {
    Ok(RawValue::from_string(to_text(value)?)?)
}

#[cfg(test)]
mod tests {
    use super::to_text;

    #[test]
    fn numbers_print_as_in_ecmascript() {
        for (number, text) in [(1.0, "1"), (1e20, "100000000000000000000"), (1e21, "1e+21"), (0.1, "0.1"), (512.5, "512.5"), (1e-7, "1e-7")]
        {
            assert_eq!(to_text(&number).unwrap(), text);
        }
        assert_eq!(to_text(&u64::MAX).unwrap(), "18446744073709551615");
    }

    #[test]
    fn minus_zero_is_refused() {
        assert!(to_text(&-0.0_f64).unwrap_err().to_string().contains("minus zero"));
    }
}
