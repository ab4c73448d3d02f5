//! What catalogs are about: the workspace, where each plugin stands for itself, or a profile, whose rows do.

use std::collections::BTreeSet;

use super::described::Described;
use crate::check::StructValue;
use crate::index::{Index, PluginEntry};
use crate::inventory::Inventory;
use crate::plan::{Plan, PlannedRow};

/// What catalogs are about.
pub(crate) struct Subject<'a> {
    /// The profile; `None` for the workspace.
    pub plan: Option<&'a Plan>,
    /// What the profile's binary says of itself; `None` for the workspace.
    pub described: Option<&'a Described>,
    /// The declarations.
    pub index: &'a Index,
    /// The crates that the profile's binary is linked from, or that any binary of the workspace is.
    pub inventory: &'a Inventory,
    /// Who takes part: plugins by name, or rows in order.
    pub users: Vec<User<'a>>,
    /// Packages whose declarations are shown.
    pub packages: BTreeSet<&'a str>,
}

/// Who takes part: a plugin, or a row of a profile.
pub(crate) struct User<'a> {
    /// Name of the plugin, or id of the row.
    pub name: &'a str,
    /// The plugin.
    pub plugin: &'a PluginEntry,
    /// The row.
    pub row: Option<&'a PlannedRow>,
}

impl<'a> Subject<'a> {
    /// The workspace.
    pub(crate) fn workspace(index: &'a Index, inventory: &'a Inventory) -> Self {
        let users = index.plugins.values().map(|plugin| User { name: &plugin.name, plugin, row: None });
        let packages = index.packages.keys().map(String::as_str).collect();
        Self { plan: None, described: None, index, inventory, users: users.collect(), packages }
    }

    /// A profile.
    ///
    /// # Panics
    /// When the plan was not made with the index, which is a fault of the compiler.
    pub(crate) fn profile(plan: &'a Plan, described: &'a Described, index: &'a Index, inventory: &'a Inventory) -> Self {
        let plugin = |row: &PlannedRow| index.plugins.get(&row.plugin).unwrap_or_else(|| panic!("the plugin `{}` is indexed", row.plugin));
        let mut rows: Vec<&PlannedRow> = plan.all_rows().collect();
        rows.sort_by_key(|row| row.place);
        let users = rows.into_iter().map(|row| User { name: &row.id, plugin: plugin(row), row: Some(row) });
        let reached = plan.crates.keys().filter_map(|name| index.packages.get(name)).flat_map(|package| &package.reaches);
        let packages = reached.map(String::as_str).collect();
        Self { plan: Some(plan), described: Some(described), index, inventory, users: users.collect(), packages }
    }

    /// How a page calls those that take part.
    pub(super) fn user_word(&self) -> &'static str {
        if self.plan.is_some() { "row" } else { "plugin" }
    }
}

impl User<'_> {
    /// The config that the row has.
    pub(super) fn config(&self) -> Option<&StructValue> {
        self.row.and_then(|row| row.config.as_ref())
    }
}
