//! Values that an overlay gave, as config fields.

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use dsh_language::check::Value;

use super::SecretEnv;

/// A type of a config field. A value that was read by the schema of the type, its expressions evaluated, always becomes one.
pub trait FromValue: Sized {
    /// The field; `None` where the value is of another type.
    fn from_value(value: &Value) -> Option<Self>;
}

/// The fields of a struct, in declaration order; what `#[config]` reads with.
#[must_use]
pub fn fields<const N: usize>(value: &Value) -> Option<[&Value; N]> {
    let Value::Struct(value) = value else { return None };
    value.fields.iter().map(|(_, value)| value).collect::<Vec<_>>().try_into().ok()
}

/// The meaning of a variant's name; what `#[config]` reads with.
#[must_use]
pub fn variant<T: Copy>(value: &Value, variants: &[(&str, T)]) -> Option<T> {
    let Value::Variant(_, name) = value else { return None };
    variants.iter().find(|(variant, _)| variant == name).map(|(_, meaning)| *meaning)
}

impl FromValue for String {
    fn from_value(value: &Value) -> Option<Self> {
        if let Value::Text(text) = value { Some(text.clone()) } else { None }
    }
}

impl FromValue for PathBuf {
    fn from_value(value: &Value) -> Option<Self> {
        if let Value::Path(text) = value { Some(Self::from(text)) } else { None }
    }
}

impl FromValue for SecretEnv {
    fn from_value(value: &Value) -> Option<Self> {
        if let Value::SecretEnv(name) = value { Some(Self::new(name)) } else { None }
    }
}

impl FromValue for bool {
    fn from_value(value: &Value) -> Option<Self> {
        if let Value::Bool(value) = value { Some(*value) } else { None }
    }
}

impl FromValue for f64 {
    fn from_value(value: &Value) -> Option<Self> {
        if let Value::Float(value) = value { Some(*value) } else { None }
    }
}

macro_rules! integers {
    ($($name:ty),*) => {$(
        impl FromValue for $name {
            fn from_value(value: &Value) -> Option<Self> {
                if let Value::Int(value) = value { Self::try_from(*value).ok() } else { None }
            }
        }
    )*};
}
integers!(u16, u32, u64, i64, usize);

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Option(None) => Some(None),
            Value::Option(Some(value)) => T::from_value(value).map(Some),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: &Value) -> Option<Self> {
        if let Value::List(values) = value { values.iter().map(T::from_value).collect() } else { None }
    }
}

impl<T: FromValue> FromValue for BTreeMap<String, T> {
    fn from_value(value: &Value) -> Option<Self> {
        let Value::Map(entries) = value else { return None };
        entries.iter().map(|(key, value)| Some((key.clone(), T::from_value(value)?))).collect()
    }
}
