//! What resolve yields: the rows of a composition, each key with the places that gave it.

use crate::load::{Given, Named, Node, Profile, Switch};

/// A profile's rows after all layers.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The profile.
    pub profile: Profile,
    /// Every row, in order; the rows of a group follow it.
    pub rows: Vec<Row>,
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

/// A row.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its id, where it was inserted.
    pub id: Named,
    /// Number of groups around it.
    pub depth: usize,
    /// Whether it holds rows and mounts nothing itself.
    pub is_group: bool,
    /// `plugin`; the value is `None` where what was written cannot be a plugin's name.
    pub plugin: Option<Setting<Option<String>>>,
    /// `config`
    pub config: Option<Setting<Node>>,
    /// `disabled`
    pub disabled: Option<Setting<Switch>>,
    /// `isolate`
    pub isolate: Option<Setting<Vec<Named>>>,
}

/// A key of a row, with its history.
#[derive(Clone, Debug)]
pub struct Setting<T> {
    /// What holds.
    pub current: Given<T>,
    /// What it replaced, oldest first.
    pub earlier: Vec<Given<T>>,
}

impl<T> Setting<T> {
    /// A key that nothing replaced yet.
    #[must_use]
    pub fn new(given: Given<T>) -> Self {
        Self { current: given, earlier: Vec::new() }
    }

    /// Replaces the value as a whole.
    pub fn replace(&mut self, given: Given<T>) {
        self.earlier.push(std::mem::replace(&mut self.current, given));
    }

    /// The value that holds.
    #[must_use]
    pub fn value(&self) -> &T {
        &self.current.value
    }
}

impl Row {
    /// The plugin's name, where one is known.
    #[must_use]
    pub fn plugin_name(&self) -> Option<&str> {
        self.plugin.as_ref().and_then(|plugin| plugin.value().as_deref())
    }
}
