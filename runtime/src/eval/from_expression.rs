//! How the result of an expression becomes a config field.

use std::collections::BTreeMap;
use std::path::PathBuf;

use minijinja::Value;
use minijinja::value::ValueKind;

/// A config field's type as the result of an expression. A string is never taken for another type.
pub trait FromExpression: Sized {
    /// Reads the result.
    ///
    /// # Errors
    /// What was found and what was expected.
    fn from_expression(value: &Value) -> Result<Self, String>;
    /// A value to go on with after a failure.
    fn stand_in() -> Self;
}

fn mismatch(value: &Value, expected: &str) -> String {
    match value.kind() {
        ValueKind::Undefined => format!("gives no value, expected {expected}"),
        ValueKind::Bool => format!("gives `{}`, expected {expected}", value.is_true()),
        ValueKind::Number => format!("gives the number `{value}`, expected {expected}"),
        // A string may be a secret that was put in the wrong place.
        kind => format!("gives a {kind}, expected {expected}"),
    }
}

impl FromExpression for String {
    fn from_expression(value: &Value) -> Result<Self, String> {
        value.as_str().map(str::to_owned).ok_or_else(|| mismatch(value, "a string"))
    }
    fn stand_in() -> Self {
        Self::new()
    }
}

impl FromExpression for PathBuf {
    fn from_expression(value: &Value) -> Result<Self, String> {
        value.as_str().map(Self::from).ok_or_else(|| mismatch(value, "a path"))
    }
    fn stand_in() -> Self {
        Self::new()
    }
}

impl FromExpression for bool {
    fn from_expression(value: &Value) -> Result<Self, String> {
        if value.kind() == ValueKind::Bool { Ok(value.is_true()) } else { Err(mismatch(value, "`true` or `false`")) }
    }
    fn stand_in() -> Self {
        false
    }
}

macro_rules! integers {
    ($($name:ty),*) => {$(
        impl FromExpression for $name {
            fn from_expression(value: &Value) -> Result<Self, String> {
                let expected = concat!("an integer of type ", stringify!($name), " (use the filter `int` on a variable)");
                if value.kind() != ValueKind::Number || !value.is_integer() {
                    return Err(mismatch(value, expected));
                }
                Self::try_from(value.clone()).map_err(|_| mismatch(value, expected))
            }
            fn stand_in() -> Self {
                0
            }
        }
    )*};
}
integers!(u16, u32, u64, i64, usize);

impl FromExpression for f64 {
    fn from_expression(value: &Value) -> Result<Self, String> {
        if value.kind() != ValueKind::Number {
            return Err(mismatch(value, "a number (use the filter `float` on a variable)"));
        }
        Self::try_from(value.clone()).map_err(|_| mismatch(value, "a number"))
    }
    fn stand_in() -> Self {
        0.0
    }
}

impl<T: FromExpression> FromExpression for Option<T> {
    fn from_expression(value: &Value) -> Result<Self, String> {
        if value.is_undefined() || value.is_none() { Ok(None) } else { T::from_expression(value).map(Some) }
    }
    fn stand_in() -> Self {
        None
    }
}

impl<T: FromExpression> FromExpression for Vec<T> {
    fn from_expression(value: &Value) -> Result<Self, String> {
        if value.kind() != ValueKind::Seq {
            return Err(mismatch(value, "a list"));
        }
        let items = value.try_iter().map_err(|error| error.to_string())?;
        items.enumerate().map(|(at, item)| T::from_expression(&item).map_err(|error| format!("element {at} {error}"))).collect()
    }
    fn stand_in() -> Self {
        Self::new()
    }
}

impl<T: FromExpression> FromExpression for BTreeMap<String, T> {
    fn from_expression(value: &Value) -> Result<Self, String> {
        if value.kind() != ValueKind::Map {
            return Err(mismatch(value, "a mapping"));
        }
        let keys = value.try_iter().map_err(|error| error.to_string())?;
        keys.map(|key| {
            let name = key.as_str().ok_or_else(|| mismatch(&key, "a string as key"))?;
            let item = value.get_item(&key).map_err(|error| error.to_string())?;
            Ok((name.to_owned(), T::from_expression(&item).map_err(|error| format!("key `{name}` {error}"))?))
        })
        .collect()
    }
    fn stand_in() -> Self {
        Self::new()
    }
}

/// The meaning of the word that an expression gives; what a config enum reads with.
///
/// # Errors
/// What was found and the words that are allowed.
pub fn choose<T: Copy>(value: &Value, words: &[(&str, T)]) -> Result<T, String> {
    let list = || words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let Some(given) = value.as_str() else { return Err(mismatch(value, &format!("one of {}", list()))) };
    let found = words.iter().find(|(word, _)| *word == given);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| format!("gives `{given}`, which is not one of {}", list()))
}
