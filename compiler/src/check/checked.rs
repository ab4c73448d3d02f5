//! What the check stage yields: a composition about which nothing is left to refuse.

use dsh_language::check::{Fixed, StructValue};

use super::documents::Documents;
use crate::index::ItemId;

/// A composition whose rows, configs and services were all found right.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Profile name.
    pub profile: String,
    /// Other names that the binary accepts.
    pub aliases: Vec<String>,
    /// Whether the binary takes no overlay when it starts.
    pub is_sealed: bool,
    /// Variables that expressions see as they were when the binary was built.
    pub fixed: Fixed,
    /// The composition's rows that mount, always or under conditions, in order.
    pub rows: Vec<CheckedRow>,
    /// The rows as documents.
    pub documents: Documents,
    /// Presets with their rows.
    pub presets: Vec<CheckedPreset>,
    /// Groups of all rows; one comes after those around it.
    pub groups: Vec<CheckedGroup>,
    /// What only one of several rows may have at a time.
    pub exclusives: Vec<Exclusive>,
}

/// A sub-composition that agents may select.
#[derive(Clone, Debug)]
pub struct CheckedPreset {
    /// Its name.
    pub name: String,
    /// Its rows in order; the id of each starts with the preset's name.
    pub rows: Vec<CheckedRow>,
}

/// A group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedGroup {
    /// Its id; that of a group of a preset starts with the preset's name.
    pub id: String,
    /// The group around it.
    pub parent: Option<String>,
    /// The condition under which all that it holds is off.
    pub disabled: Option<Disabled>,
    /// Service keys for which it is a realm.
    pub isolates: Vec<String>,
}

/// A condition in `disabled`, which is evaluated when the binary starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disabled {
    /// The expression.
    pub text: String,
    /// The file that gave it, as generated files call it.
    pub file: String,
}

/// What only one of several rows may have at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusive {
    /// In words: `` the service `shell` ``.
    pub what: String,
    /// Ids of the rows.
    pub rows: Vec<String>,
}

/// A row.
#[derive(Clone, Debug)]
pub struct CheckedRow {
    /// Row id; that of a row of a preset starts with the preset's name.
    pub id: String,
    /// Plugin name.
    pub plugin: String,
    /// File that inserted the row, as generated files call it.
    pub file: String,
    /// File that gave its config, or the same when it gives none.
    pub config_file: String,
    /// Its config, every field present; `None` when the plugin takes no config.
    pub config: Option<StructValue>,
    /// Its own condition.
    pub disabled: Option<Disabled>,
    /// Ids of the groups around it, outermost first.
    pub groups: Vec<String>,
    /// For each `Want` of the plugin that is a service (same order, dispatchers left out): the rows that may provide it, where conditions
    /// decide which does. The first of them that mounts is the provider. None where an optional service has no provider.
    pub providers: Vec<Vec<Provider>>,
    /// Ids of rows that must mount before this one: those of `providers` and of the registries for its contributions.
    pub needs: Vec<String>,
    /// The rows that may be the tool registry, when the plugin declares tools.
    pub tool_registries: Vec<String>,
}

/// Who provides a service to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// The service.
    pub service: ItemId,
    /// Id of the providing row.
    pub row: String,
}
