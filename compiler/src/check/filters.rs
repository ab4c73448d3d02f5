//! The filters that the language adds to minijinja's own, as the runtime has them: `int`, `float`, `bool` and `json` hand an
//! undefined value on.

use minijinja::value::{Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Value};

/// Adds `path`, `int`, `float`, `bool`, `json`.
pub fn add(jinja: &mut Environment<'_>) {
    jinja.add_filter("path", path);
    jinja.add_filter("int", |value: &Value| defined(value, int));
    jinja.add_filter("float", |value: &Value| defined(value, float));
    jinja.add_filter("bool", |value: &Value| defined(value, boolean));
    jinja.add_filter("json", |value: &Value| defined(value, json));
}

fn defined(value: &Value, convert: fn(&Value) -> Result<Value, Error>) -> Result<Value, Error> {
    if value.is_undefined() { Ok(Value::UNDEFINED) } else { convert(value) }
}

/// A constant stands in the composition, so it may be shown.
fn refuse(value: &Value, filter: &str, expected: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("`{value}`, given to the filter `{filter}`, is not {expected}"))
}

fn path(base: &Value, parts: Rest<String>) -> Result<String, Error> {
    let base = base.as_str().ok_or_else(|| refuse(base, "path", "a path"))?;
    let mut joined = std::path::PathBuf::from(base);
    joined.extend(parts.iter());
    Ok(joined.to_string_lossy().into_owned())
}

fn int(value: &Value) -> Result<Value, Error> {
    match value.as_str() {
        // Wider than any field, whose type is checked later.
        Some(text) => text.trim().parse::<i128>().map(Value::from).map_err(|_| refuse(value, "int", "a whole number")),
        None if value.is_integer() => Ok(value.clone()),
        None => Err(refuse(value, "int", "a whole number")),
    }
}

fn float(value: &Value) -> Result<Value, Error> {
    let number: Option<f64> = match value.as_str() {
        Some(text) => text.trim().parse().ok(),
        None if value.kind() == ValueKind::Number => f64::try_from(value.clone()).ok(),
        None => None,
    };
    number.filter(|number| number.is_finite()).map(Value::from).ok_or_else(|| refuse(value, "float", "a finite number"))
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
    read.map(Value::from).ok_or_else(|| refuse(value, "bool", "`true`, `false`, `1` or `0`"))
}

fn json(value: &Value) -> Result<Value, Error> {
    let text = value.as_str().ok_or_else(|| refuse(value, "json", "a string of JSON"))?;
    serde_json::from_str(text).map_err(|error| refuse(value, "json", &format!("JSON ({error})")))
}
