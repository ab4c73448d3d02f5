//! From the text of a model's arguments to a value.

use dsh_json::JsString;
use serde_json::{Error, Map, Number, Value};

/// How much of a text is quoted on either side of the place that is wrong, in bytes.
const QUOTED: usize = 24;

/// The arguments that a text stands for, or what keeps it from being JSON. An empty text is an empty object.
pub(crate) fn parse(text: &JsString) -> Result<Value, String> {
    if text.is_empty() {
        return Ok(Value::Object(Map::new()));
    }
    if let Some((at, half)) = text.first_lone_surrogate() {
        return Err(format!("they hold \\u{half:04x} at character {}, which is half of a character", at + 1));
    }
    let text = text.to_lossy();
    serde_json::from_str(&text).map(whole_numbers).map_err(|error| wrong(&text, &error))
}

/// What is wrong with a text, and where.
fn wrong(text: &str, error: &Error) -> String {
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    // A column counts bytes up to the one at fault.
    let fault = error.column().saturating_sub(1);
    let (from, to) = (line.floor_char_boundary(fault.saturating_sub(QUOTED)), line.ceil_char_boundary(fault + QUOTED));
    let near = line[from..to].trim();
    let mut told = format!("not JSON: {error}");
    // The parser's words for an escape that lacks its other half do not say so.
    for words in ["unexpected end of hex escape", "lone leading surrogate in hex escape"] {
        told = told.replace(words, "an escape for half of a character");
    }
    if !near.is_empty() {
        told.push_str(&format!(", near `{near}`"));
    }
    told
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
