//! What resolve yields: the rows of a composition, each key with the places that gave it.

use dsh_language::resolve::Row;

use crate::load::{Named, Profile};

/// A profile's rows after all layers.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The profile.
    pub profile: Profile,
    /// Every row, in order; the rows of a group follow it.
    pub rows: Vec<Row>,
    /// The rows that its bundles alone give, for the default document.
    pub bundles: Vec<Row>,
    /// The sub-compositions that agents may select.
    pub presets: Vec<PresetRows>,
    /// Whether no row is missing because something could not be read or applied. When not, nothing may be concluded from the
    /// absence of a row.
    pub complete: bool,
}

impl Composition {
    /// The row of an id; that of a row of a preset is written after the preset's name, as in `code/shell`.
    #[must_use]
    pub fn row(&self, id: &str) -> Option<&Row> {
        let (rows, id) = match id.split_once('/') {
            Some((preset, id)) => (&self.presets.iter().find(|known| known.name.text == preset)?.rows, id),
            None => (&self.rows, id),
        };
        rows.iter().find(|row| row.id.text == id)
    }

    /// Every row with its id, those of presets after the composition's.
    pub fn all_rows(&self) -> impl Iterator<Item = (String, &Row)> {
        let own = self.rows.iter().map(|row| (row.id.text.clone(), row));
        own.chain(
            self.presets
                .iter()
                .flat_map(|PresetRows { name, rows }| rows.iter().map(move |row| (format!("{}/{}", name.text, row.id.text), row))),
        )
    }
}

/// The rows of a preset.
#[derive(Clone, Debug)]
pub struct PresetRows {
    /// The preset's name.
    pub name: Named,
    /// Its rows, as those of a composition.
    pub rows: Vec<Row>,
}
