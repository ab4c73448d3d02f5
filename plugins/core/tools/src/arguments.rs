//! From the text of a model's arguments to a value.

use dsh_json::JsString;
use serde_json::{Map, Number, Value};

/// The arguments that a text stands for: an empty text is an empty object, a text that is no JSON stands for itself.
pub(crate) fn parse(text: &JsString) -> Value {
    if text.is_empty() {
        return Value::Object(Map::new());
    }
    let read = text.as_str().and_then(|text| serde_json::from_str(text).ok());
    read.map_or_else(|| Value::String(text.to_lossy().into_owned()), whole_numbers)
}

/// The value with numbers as ECMAScript tells them apart: 5.0 is 5, so that it equals it and fits a field that is an integer.
/// Minus zero stays, since it has no lossless text.
pub(crate) fn whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(whole(&number).unwrap_or(number)),
        Value::Array(items) => Value::Array(items.into_iter().map(whole_numbers).collect()),
        Value::Object(members) => Value::Object(members.into_iter().map(|(key, member)| (key, whole_numbers(member))).collect()),
        other => other,
    }
}

fn whole(number: &Number) -> Option<Number> {
    // Integers up to 2^53 are exact in a double.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let value = if number.is_f64() { number.as_f64()? } else { return None };
    let exact = value.fract() == 0.0 && value.abs() <= EXACT && !is_minus_zero(number);
    // The check above bounds the value, so the cast is exact.
    #[allow(clippy::cast_possible_truncation)]
    exact.then(|| Number::from(value as i64))
}

/// Whether the number is minus zero, which JSON cannot hold for ECMAScript.
pub(crate) fn is_minus_zero(number: &Number) -> bool {
    number.is_f64() && number.as_f64().is_some_and(|value| value == 0.0 && value.is_sign_negative())
}

/// Whether writing and reading the value gives it back.
pub(crate) fn is_lossless(value: &Value) -> bool {
    match value {
        Value::Number(number) => !is_minus_zero(number),
        Value::Array(items) => items.iter().all(is_lossless),
        Value::Object(members) => members.values().all(is_lossless),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}
