//! The filters that the language adds to minijinja's own, as the runtime has them.

use minijinja::value::{Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Value};

/// Adds `path`, `int`, `float`, `bool`, `json`.
pub fn add(jinja: &mut Environment<'_>) {
    jinja.add_filter("path", path);
    jinja.add_filter("int", int);
    jinja.add_filter("float", float);
    jinja.add_filter("bool", boolean);
    jinja.add_filter("json", json);
}

fn refuse(value: &Value, expected: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("`{value}` is not {expected}"))
}

fn path(base: &Value, parts: Rest<String>) -> Result<String, Error> {
    let base = base.as_str().ok_or_else(|| refuse(base, "a path"))?;
    let mut joined = std::path::PathBuf::from(base);
    joined.extend(parts.iter());
    Ok(joined.to_string_lossy().into_owned())
}

fn int(value: &Value) -> Result<i64, Error> {
    match value.as_str() {
        Some(text) => text.trim().parse().map_err(|_| refuse(value, "an integer")),
        None => i64::try_from(value.clone()).map_err(|_| refuse(value, "an integer")),
    }
}

fn float(value: &Value) -> Result<f64, Error> {
    let number = match value.as_str() {
        Some(text) => text.trim().parse().map_err(|_| refuse(value, "a number"))?,
        None => f64::try_from(value.clone()).map_err(|_| refuse(value, "a number"))?,
    };
    if f64::is_finite(number) { Ok(number) } else { Err(refuse(value, "a finite number")) }
}

fn boolean(value: &Value) -> Result<bool, Error> {
    match (value.as_str(), value.as_i64()) {
        (Some("true" | "1"), _) | (None, Some(1)) => Ok(true),
        (Some("false" | "0"), _) | (None, Some(0)) => Ok(false),
        (None, None) if value.kind() == ValueKind::Bool => Ok(value.is_true()),
        _ => Err(refuse(value, "a boolean (`true`, `false`, `1` or `0`)")),
    }
}

fn json(value: &Value) -> Result<Value, Error> {
    let text = value.as_str().ok_or_else(|| refuse(value, "a string of JSON"))?;
    let parsed: serde_json::Value = serde_json::from_str(text).map_err(|error| refuse(value, &format!("JSON ({error})")))?;
    Ok(Value::from_serialize(parsed))
}
