//! Rows after all layers: every key with the places that gave it.

use crate::load::{Given, Named, Node, Switch};

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
