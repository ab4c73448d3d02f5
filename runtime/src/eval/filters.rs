//! The filters that the language adds to minijinja's own.
//!
//! `int`, `float`, `bool` and `json` hand an undefined value on, so that an unset variable is reported where the result is
//! used, is `None` in an optional field, and can be given a value with `default`. Messages do not show what was refused:
//! it comes from the environment and may be a secret.

use minijinja::value::{Rest, ValueKind};
use minijinja::{Environment as Jinja, Error, ErrorKind, Value};

/// Adds `path`, `int`, `float`, `bool`, `json`.
pub fn add(jinja: &mut Jinja<'_>) {
    jinja.add_filter("path", path);
    jinja.add_filter("int", |value: &Value| defined(value, int));
    jinja.add_filter("float", |value: &Value| defined(value, float));
    jinja.add_filter("bool", |value: &Value| defined(value, boolean));
    jinja.add_filter("json", |value: &Value| defined(value, json));
}

fn defined(value: &Value, convert: fn(&Value) -> Result<Value, Error>) -> Result<Value, Error> {
    if value.is_undefined() { Ok(Value::UNDEFINED) } else { convert(value) }
}

fn refuse(filter: &str, expected: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("the value given to `{filter}` is not {expected}"))
}

fn path(base: &Value, parts: Rest<String>) -> Result<String, Error> {
    let base = base.as_str().ok_or_else(|| refuse("path", "a path"))?;
    let mut joined = std::path::PathBuf::from(base);
    joined.extend(parts.iter());
    Ok(joined.to_string_lossy().into_owned())
}

fn int(value: &Value) -> Result<Value, Error> {
    match value.as_str() {
        // Wider than any field, whose type is checked later.
        Some(text) => text.trim().parse::<i128>().map(Value::from).map_err(|_| refuse("int", "an integer")),
        None if value.is_integer() => Ok(value.clone()),
        None => Err(refuse("int", "an integer")),
    }
}

fn float(value: &Value) -> Result<Value, Error> {
    let number: Option<f64> = match value.as_str() {
        Some(text) => text.trim().parse().ok(),
        None if value.kind() == ValueKind::Number => f64::try_from(value.clone()).ok(),
        None => None,
    };
    number.filter(|number| number.is_finite()).map(Value::from).ok_or_else(|| refuse("float", "a finite number"))
}

fn boolean(value: &Value) -> Result<Value, Error> {
    let read = match value.as_str() {
        Some("true" | "1") => Some(true),
        Some("false" | "0") => Some(false),
        Some(_) => None,
        None if value.kind() == ValueKind::Bool => Some(value.is_true()),
        None if value.is_integer() => match value.as_i64() {
            Some(1) => Some(true),
            Some(0) => Some(false),
            _ => None,
        },
        None => None,
    };
    read.map(Value::from).ok_or_else(|| refuse("bool", "`true`, `false`, `1` or `0`"))
}

fn json(value: &Value) -> Result<Value, Error> {
    let text = value.as_str().ok_or_else(|| refuse("json", "a string of JSON"))?;
    // Where it breaks off, without what stands there.
    serde_json::from_str(text).map_err(|error| refuse("json", &format!("JSON (line {}, column {})", error.line(), error.column())))
}
