//! The filters that the language adds to minijinja's own.
//!
//! `int`, `float`, `bool` and `json` hand an undefined value on, so that an unset variable is reported where the result is
//! used, is `None` in an optional field, and can be given a value with `default`.

use minijinja::value::{Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, Value};

use crate::Refused;

/// Adds `path`, `int`, `float`, `bool`, `json`.
pub(crate) fn add(engine: &mut Environment<'_>, refused: Refused) {
    engine.add_filter("path", move |base: &Value, parts: Rest<String>| {
        path(base, &parts).ok_or_else(|| refuse(base, "path", "a path", refused))
    });
    conversion(engine, refused, "int", "a whole number", int);
    conversion(engine, refused, "float", "a finite number", float);
    conversion(engine, refused, "bool", "`true`, `false`, `1` or `0`", boolean);
    engine.add_filter("json", move |value: &Value| if value.is_undefined() { Ok(Value::UNDEFINED) } else { json(value, refused) });
}

fn conversion(
    engine: &mut Environment<'_>,
    refused: Refused,
    name: &'static str,
    expected: &'static str,
    convert: fn(&Value) -> Option<Value>,
) {
    engine.add_filter(name, move |value: &Value| {
        if value.is_undefined() { Ok(Value::UNDEFINED) } else { convert(value).ok_or_else(|| refuse(value, name, expected, refused)) }
    });
}

fn refuse(value: &Value, filter: &str, expected: &str, refused: Refused) -> Error {
    let given = match refused {
        Refused::Shown => format!("`{value}`, given to the filter `{filter}`, is not {expected}"),
        Refused::Hidden => format!("the value given to the filter `{filter}` is not {expected}"),
    };
    Error::new(ErrorKind::InvalidOperation, given)
}

fn path(base: &Value, parts: &[String]) -> Option<String> {
    let mut joined = std::path::PathBuf::from(base.as_str()?);
    joined.extend(parts);
    Some(joined.to_string_lossy().into_owned())
}

fn int(value: &Value) -> Option<Value> {
    match value.as_str() {
        // Wider than any field, whose type is checked later.
        Some(text) => text.trim().parse::<i128>().ok().map(Value::from),
        None => value.is_integer().then(|| value.clone()),
    }
}

fn float(value: &Value) -> Option<Value> {
    let number: Option<f64> = match value.as_str() {
        Some(text) => text.trim().parse().ok(),
        None if value.kind() == ValueKind::Number => f64::try_from(value.clone()).ok(),
        None => None,
    };
    number.filter(|number| number.is_finite()).map(Value::from)
}

fn boolean(value: &Value) -> Option<Value> {
    let read = match value.as_str() {
        Some("true" | "1") => true,
        Some("false" | "0") => false,
        Some(_) => return None,
        None if value.kind() == ValueKind::Bool => value.is_true(),
        None if value.is_integer() => match value.as_i64() {
            Some(1) => true,
            Some(0) => false,
            _ => return None,
        },
        None => return None,
    };
    Some(Value::from(read))
}

fn json(value: &Value, refused: Refused) -> Result<Value, Error> {
    let text = value.as_str().ok_or_else(|| refuse(value, "json", "a string of JSON", refused))?;
    // The place where it breaks off, without what stands there.
    serde_json::from_str(text)
        .map_err(|error| refuse(value, "json", &format!("JSON (line {}, column {})", error.line(), error.column()), refused))
}
