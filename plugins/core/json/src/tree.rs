//! Any JSON value, for what comes from a client and is kept without being understood.

use std::collections::HashMap;

use serde::de::{MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::JsString;

/// Deepest nesting that is read, as serde_json's own limit: each level takes a piece of the stack.
const MOST_DEPTH: usize = 128;

/// A JSON value as ECMAScript holds it: numbers are doubles, a repeated key keeps its first place and its last value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// A string.
    Text(JsString),
    /// An array.
    List(Vec<Json>),
    /// An object in order. A key with a lone surrogate is refused when read.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value of a key, for an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries.iter().find(|(name, _)| *name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The string, for a string.
    #[must_use]
    pub fn as_text(&self) -> Option<&JsString> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::Text(value) => value.serialize(serializer),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    /// Reads through [`RawValue`], since serde_json refuses lone surrogates in values of unknown type; so it works with
    /// serde_json only.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        read(&raw, MOST_DEPTH).map_err(serde::de::Error::custom)
    }
}

fn read(raw: &RawValue, depth: usize) -> Result<Json, serde_json::Error> {
    let text = raw.get();
    let inside = || depth.checked_sub(1).ok_or_else(|| serde::de::Error::custom("a value is nested too deeply"));
    Ok(match text.as_bytes().first() {
        Some(b'"') => Json::Text(serde_json::from_str(text)?),
        Some(b'[') => {
            let inside = inside()?;
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            Json::List(items.into_iter().map(|item| read(item, inside)).collect::<Result<_, _>>()?)
        }
        Some(b'{') => {
            let inside = inside()?;
            let Entries(entries) = serde_json::from_str(text)?;
            let mut members: Vec<(String, Json)> = Vec::with_capacity(entries.len());
            let mut places: HashMap<String, usize> = HashMap::with_capacity(entries.len());
            for (key, value) in entries {
                let value = read(value, inside)?;
                match places.get(&key) {
                    Some(place) => members[*place].1 = value,
                    None => {
                        places.insert(key.clone(), members.len());
                        members.push((key, value));
                    }
                }
            }
            Json::Object(members)
        }
        Some(b't') => Json::Bool(true),
        Some(b'f') => Json::Bool(false),
        Some(b'n') => Json::Null,
        _ => Json::Number(serde_json::from_str(text)?),
    })
}

/// The members of an object as they came.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Entries<'de>;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[cfg(test)]
mod tests {
    use super::Json;
    use crate::to_text;

    #[test]
    fn any_value_is_kept_in_ecmascript_form() {
        let read: Json = serde_json::from_str(r#" {"b":[1.0,1E2,null,true],"a":"\ud800","b2":{"x":{}},"a":"\uDFFF"} "#).unwrap();
        assert_eq!(to_text(&read).unwrap(), r#"{"b":[1,100,null,true],"a":"\udfff","b2":{"x":{}}}"#);
    }

    #[test]
    fn nesting_has_a_limit() {
        let nested = |depth: usize| serde_json::from_str::<Json>(&("[{\"a\":".repeat(depth / 2) + "0" + &"}]".repeat(depth / 2)));
        assert!(nested(128).is_ok());
        assert!(nested(130).unwrap_err().to_string().contains("nested too deeply"));
        assert!(nested(1_000).is_err());
    }

    #[test]
    fn numbers_that_overflow_are_refused() {
        assert!(serde_json::from_str::<Json>("1E400").is_err());
    }
}
