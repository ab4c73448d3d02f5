//! What a binary tells of its rows: the documents that load again, and where each row came from.

use dsh_language::document::{Provenance, document};

use crate::load::Switch;
use crate::resolve::{Composition, Row};

/// The rows of a composition as patch lists that load again, and one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documents {
    /// After all layers, rows that are switched off included.
    pub composed: String,
    /// After the bundles alone.
    pub bundles: String,
    /// The rows in order.
    pub rows: Vec<DocumentedRow>,
}

/// A row of the composition, whether it mounts or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentedRow {
    /// Its id.
    pub id: String,
    /// Its plugin; a group has none.
    pub plugin: Option<String>,
    /// The files that gave it.
    pub provenance: Provenance,
    /// Whether `disabled` is written as `true`.
    pub is_off: bool,
}

impl Documents {
    /// Of a composition.
    #[must_use]
    pub fn of(composition: &Composition) -> Self {
        let text = |rows: &[Row]| document(rows, Provenance::of);
        let row = |row: &Row| DocumentedRow {
            id: row.id.text.clone(),
            plugin: row.plugin_name().map(str::to_owned),
            provenance: Provenance::of(row),
            is_off: row.disabled.as_ref().is_some_and(|disabled| *disabled.value() == Switch::Literal(true)),
        };
        Self { composed: text(&composition.rows), bundles: text(&composition.bundles), rows: composition.rows.iter().map(row).collect() }
    }
}
