//! Reading objects whose kind is named by one of their members. serde's own tagged enums buffer values in a form that cannot
//! hold lone surrogates, so the member is read first and the object a second time.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// An object as it came.
pub(crate) fn object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<RawValue>, D::Error> {
    Box::<RawValue>::deserialize(deserializer)
}

/// Reads a member that holds a plain string.
pub(crate) fn member<T: DeserializeOwned, E: Error>(raw: &RawValue) -> Result<T, E> {
    serde_json::from_str(raw.get()).map_err(E::custom)
}

#[derive(Deserialize)]
pub(crate) struct TypeMember {
    pub r#type: String,
}

#[derive(Deserialize)]
pub(crate) struct KindMember {
    pub kind: String,
}
