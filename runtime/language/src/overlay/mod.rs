//! Patch lists that a finished binary is given when it starts. It honours a change of `config` of the rows that it carries and refuses
//! everything else, with the build that would honour it.

pub mod rules;

use std::collections::BTreeMap;

use minijinja::Value as MachineNames;

use crate::check::rules::{config_of_none, is_empty_config};
use crate::check::{ConfigReader, Expressions, PluginAt, StructValue};
use crate::diagnostics::{Diagnostics, Place};
use crate::load::{Change, Entry, Layer, Node};
use crate::resolve::{Row, Setting};
use crate::schema::{ItemId, Schemas};
use crate::{DigestedRow, composition_digest};

/// What a binary is made of.
pub struct Carried {
    /// Its profile.
    pub profile: &'static str,
    /// Other names that it accepts.
    pub aliases: &'static [&'static str],
    /// Every row of the composition, rows that are switched off included.
    pub rows: Vec<Row>,
    /// The plugins of the rows that it carries, by row id.
    pub plugins: BTreeMap<&'static str, CarriedPlugin>,
    /// The types of their configs.
    pub schemas: Schemas,
    /// FNV-1a.
    pub hash: fn(&[u8]) -> u64,
}

/// A plugin that is part of the binary.
#[derive(Clone, Debug)]
pub struct CarriedPlugin {
    /// Its name.
    pub name: &'static str,
    /// Its digest.
    pub digest: u64,
    /// Its config type.
    pub config: Option<ItemId>,
}

/// A composition under overlays.
pub struct Overlaid {
    /// What the binary is made of, its rows changed.
    carried: Carried,
    /// Ids of the rows whose config was replaced.
    replaced: Vec<String>,
}

impl Carried {
    /// Applies overlays in order and reports everything that this binary cannot honour. `complete` says whether nothing was left out of
    /// the layers. Expressions are checked and not evaluated. `None` when an error was reported.
    #[must_use]
    pub fn overlay(mut self, layers: &[Layer], problems: &mut Diagnostics) -> Option<Overlaid> {
        let mut replaced = Vec::new();
        for entry in layers.iter().flat_map(|layer| &layer.entries) {
            match entry {
                Entry::Insert(insert) => problems.report(rules::inserts(insert, self.profile)),
                Entry::Change(change) => self.change(change, &mut replaced, problems),
            }
        }
        let overlaid = Overlaid { carried: self, replaced };
        let expressions = Expressions::new(overlaid.carried.profile);
        for id in &overlaid.replaced {
            overlaid.carried.config(id, &expressions, problems);
        }
        (!problems.has_errors()).then_some(overlaid)
    }

    fn change(&mut self, change: &Change, replaced: &mut Vec<String>, problems: &mut Diagnostics) {
        let id = change.id.text.as_str();
        let row = self.rows.iter().position(|row| row.id.text == id);
        let Some((row, plugin)) = row.zip(self.plugins.get(id)) else {
            if let Some(problem) = rules::not_carried(change, row.map(|row| &self.rows[row]), &self.plugins, self.profile) {
                problems.report(problem);
            }
            return;
        };
        let refused = rules::not_honoured(change, self.profile);
        let is_refused = !refused.is_empty();
        refused.into_iter().for_each(|problem| problems.report(problem));
        let Some(config) = change.settings.config.clone().filter(|_| !is_refused) else { return };
        if plugin.config.is_none() {
            if !is_empty_config(&config.value) {
                problems.report(config_of_none(&config.key, plugin.name));
            }
            return;
        }
        match &mut self.rows[row].config {
            Some(setting) => setting.replace(config),
            none => *none = Some(Setting::new(config)),
        }
        if !replaced.iter().any(|other| other == id) {
            replaced.push(id.to_owned());
        }
    }

    /// The config of a row that the binary carries.
    fn config(&self, id: &str, expressions: &Expressions, problems: &mut Diagnostics) -> Option<StructValue> {
        let (row, plugin) = (self.rows.iter().find(|row| row.id.text == id)?, self.plugins.get(id)?);
        let given = row.config.as_ref().map(|config| &config.current);
        let anchor: &Place = given.map_or(&row.id.place, |given| &given.key);
        let node: Option<&Node> = given.map(|given| &given.value);
        let at = PluginAt { name: plugin.name, place: None };
        ConfigReader::new(&self.schemas, expressions, at, problems).config(plugin.config.as_ref()?, node, anchor)
    }
}

impl Overlaid {
    /// The rows after all overlays.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.carried.rows
    }

    /// Digest of the composition with the overlays: that of a build which had them.
    #[must_use]
    pub fn digest(&self) -> String {
        let Carried { profile, aliases, rows, plugins, hash, .. } = &self.carried;
        let expressions = Expressions::new(profile);
        // Every config was found right, by the compiler or before this was made.
        let config = |id: &str| self.carried.config(id, &expressions, &mut Diagnostics::new());
        let carried = rows.iter().filter_map(|row| Some((row.id.text.as_str(), plugins.get(row.id.text.as_str())?)));
        let read: Vec<_> = carried.map(|(id, plugin)| (id, plugin, config(id))).collect();
        let rows =
            read.iter().map(|(id, plugin, config)| DigestedRow { id, plugin: plugin.name, digest: plugin.digest, config: config.as_ref() });
        composition_digest(profile, aliases, rows, *hash)
    }

    /// The replaced configs by row, their expressions evaluated: `names` holds the value of every name. What cannot be evaluated is
    /// reported, and left out.
    #[must_use]
    pub fn configs(&self, names: MachineNames, problems: &mut Diagnostics) -> BTreeMap<String, StructValue> {
        let expressions = Expressions::on_machine(self.carried.profile, names);
        let read = |id: &String| Some((id.clone(), self.carried.config(id, &expressions, problems)?));
        self.replaced.iter().filter_map(read).collect()
    }
}
