//! Config types by identity.

use std::collections::BTreeMap;

use super::{ConfigBody, ConfigSchema, ItemId};

/// All config types that the configs of some rows may hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schemas {
    types: BTreeMap<ItemId, ConfigSchema>,
}

impl Schemas {
    /// The type of an identity, and that identity.
    #[must_use]
    pub fn get(&self, item: &ItemId) -> Option<(&ItemId, &ConfigSchema)> {
        self.types.get_key_value(item)
    }

    /// The type that a field of a config in `package` names: one of that package.
    #[must_use]
    pub fn named(&self, package: &str, name: &str) -> Option<(&ItemId, &ConfigBody)> {
        let item = ItemId { package: package.to_owned(), name: name.to_owned() };
        self.get(&item).map(|(item, schema)| (item, &schema.body))
    }

    /// Adds a type.
    pub fn add(&mut self, schema: ConfigSchema) {
        self.types.insert(schema.id(), schema);
    }
}

impl FromIterator<ConfigSchema> for Schemas {
    fn from_iter<T: IntoIterator<Item = ConfigSchema>>(types: T) -> Self {
        let mut schemas = Self::default();
        types.into_iter().for_each(|schema| schemas.add(schema));
        schemas
    }
}
