//! What resolve yields: the rows of a composition, each key with the places that gave it.

use dsh_language::resolve::Row;

use crate::load::Profile;

/// A profile's rows after all layers.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The profile.
    pub profile: Profile,
    /// Every row, in order; the rows of a group follow it.
    pub rows: Vec<Row>,
    /// The rows that its bundles alone give, for the default document.
    pub bundles: Vec<Row>,
    /// Whether no row is missing because something could not be read or applied. When not, nothing may be concluded from the
    /// absence of a row.
    pub complete: bool,
}

impl Composition {
    /// The row of an id.
    #[must_use]
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id.text == id)
    }
}
