//! What the check stage yields: a composition about which nothing is left to refuse.

use dsh_language::check::StructValue;

use super::documents::Documents;
use crate::index::ItemId;

/// A composition whose rows, configs and services were all found right.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Profile name.
    pub profile: String,
    /// Other names that the binary accepts.
    pub aliases: Vec<String>,
    /// Enabled rows in the composition's order.
    pub rows: Vec<CheckedRow>,
    /// The rows as documents.
    pub documents: Documents,
}

/// A row.
#[derive(Clone, Debug)]
pub struct CheckedRow {
    /// Row id.
    pub id: String,
    /// Plugin name.
    pub plugin: String,
    /// File that inserted the row, as generated files call it.
    pub file: String,
    /// File that gave its config, or the same when it gives none.
    pub config_file: String,
    /// Its config, every field present; `None` when the plugin takes no config.
    pub config: Option<StructValue>,
    /// For each `Want` of the plugin that is a service (same order, dispatchers left out): the row that provides it, or
    /// `None` where an optional service has no provider.
    pub providers: Vec<Option<Provider>>,
    /// Ids of rows that must mount before this one: those of `providers` and of the registries for its contributions.
    pub needs: Vec<String>,
    /// The row of the tool registry, when the plugin declares tools.
    pub tool_registry: Option<String>,
}

/// Who provides a service to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// The service.
    pub service: ItemId,
    /// Id of the providing row.
    pub row: String,
}
