//! What a composition reads of its surroundings when its binary starts.

use dsh_expression::Fixed;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// What a composition reads of its surroundings. Overlays, which a sealed binary does not take, and what plugins read by themselves come
/// on top.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct SurroundingsDescription {
    /// Variables that expressions see as they were when the binary was built, by name; an empty value stands for one that is not set.
    #[serde(serialize_with = "map")]
    pub set: &'static [(&'static str, &'static str)],
    /// What expressions read when it starts.
    pub expressions: &'static [ReadDescription],
    /// The variables in which secrets are looked for when they are used.
    pub secrets: &'static [ReadDescription],
}

/// Something that a row reads.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ReadDescription {
    /// `env.NAME`, `env` for any variable, `cwd` and the like; of a secret the variable.
    pub name: &'static str,
    /// Id of the row or group.
    pub row: &'static str,
    /// Path of the field in its config, or `disabled`.
    pub field: &'static str,
}

impl SurroundingsDescription {
    /// The values that expressions see in place of the environment's.
    #[must_use]
    pub fn fixed(&self) -> Fixed {
        Fixed::of(self.set.iter().copied())
    }
}

fn map<S: Serializer>(set: &&[(&str, &str)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(set.len()))?;
    for (name, value) in *set {
        map.serialize_entry(name, value)?;
    }
    map.end()
}
