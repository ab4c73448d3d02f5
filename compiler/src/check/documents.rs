//! What a binary tells of its rows: the documents that load again, and where each row came from.

use dsh_language::document::{Provenance, document};

use crate::resolve::{Composition, Row};

/// The rows of a composition as patch lists that load again, and one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documents {
    /// After all layers, rows that are switched off included.
    pub composed: String,
    /// The rows of each preset, by its name.
    pub presets: Vec<(String, String)>,
    /// After the bundles alone.
    pub bundles: String,
    /// The rows in order.
    pub rows: Vec<DocumentedRow>,
}

/// A row of the composition, whether it mounts or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentedRow {
    /// Its id; that of a row of a preset starts with the preset's name.
    pub id: String,
    /// Its plugin; a group has none.
    pub plugin: Option<String>,
    /// The files that gave it.
    pub provenance: Provenance,
}

impl Documents {
    /// Of a composition.
    #[must_use]
    pub fn of(composition: &Composition) -> Self {
        let text = |rows: &[Row]| document(rows, Provenance::of);
        let row =
            |(id, row): (String, &Row)| DocumentedRow { id, plugin: row.plugin_name().map(str::to_owned), provenance: Provenance::of(row) };
        Self {
            composed: text(&composition.rows),
            presets: composition.presets.iter().map(|preset| (preset.name.text.clone(), text(&preset.rows))).collect(),
            bundles: text(&composition.bundles),
            rows: composition.all_rows().map(row).collect(),
        }
    }
}
