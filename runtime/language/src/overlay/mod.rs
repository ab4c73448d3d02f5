//! Patch lists that a finished binary is given when it starts. It honours a change of `config` or `disabled` of the rows that it carries
//! and refuses everything else, with the build that would honour it.

pub mod rules;

use std::collections::BTreeMap;

use dsh_expression::Fixed;
use minijinja::Value as MachineNames;

use crate::check::rules::{config_of_none, constant_expression, is_empty_config, string_condition};
use crate::check::{ConfigReader, Expressions, PluginAt, StructValue, boolean};
use crate::diagnostics::{Diagnostics, Place};
use crate::load::{Change, Entry, Given, Layer, Node, Switch};
use crate::resolve::{Row, Setting};
use crate::schema::{ItemId, Schemas};
use crate::{DigestedRow, Hash, composition_digest, row_digest};

/// What a binary is made of.
pub struct Carried {
    /// Its profile.
    pub profile: &'static str,
    /// Variables that expressions see as they were when it was built.
    pub fixed: Fixed,
    /// Digest of what is around the rows.
    pub frame: u64,
    /// Every row of the composition but those of presets, rows that are not carried included.
    pub document: Vec<Row>,
    /// The rows that it carries, those of presets after the others.
    pub rows: Vec<CarriedRow>,
    /// Ids of the groups that it carries.
    pub groups: Vec<&'static str>,
    /// The types of the configs.
    pub schemas: Schemas,
    /// FNV-1a.
    pub hash: Hash,
}

/// A row that is part of the binary.
#[derive(Clone, Debug)]
pub struct CarriedRow {
    /// Its id.
    pub id: &'static str,
    /// Its plugin.
    pub plugin: CarriedPlugin,
    /// Digest of the row as it was compiled.
    pub digest: u64,
    /// The groups around it, outermost first.
    pub groups: &'static [&'static str],
    /// The condition under which it is off.
    pub off_when: Option<&'static str>,
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
    /// What the binary is made of, its document changed.
    carried: Carried,
    /// Ids of the rows whose config was replaced.
    replaced: Vec<String>,
    /// Ids of the rows and groups whose `disabled` was replaced.
    switched: Vec<String>,
}

/// A row or group that an overlay switches on or off.
#[derive(Clone, Debug)]
pub struct Switched {
    /// Its id.
    pub id: String,
    /// What its `disabled` comes to.
    pub disabled: bool,
    /// The key `disabled` of the overlay.
    pub key: Place,
}

impl Carried {
    /// Applies overlays in order and reports everything that this binary cannot honour, and warnings. Expressions are checked and not evaluated. `None`
    /// when an error was reported.
    #[must_use]
    pub fn overlay(self, layers: &[Layer], problems: &mut Diagnostics) -> Option<Overlaid> {
        let mut overlaid = Overlaid { carried: self, replaced: Vec::new(), switched: Vec::new() };
        for entry in layers.iter().flat_map(|layer| &layer.entries) {
            match entry {
                Entry::Insert(insert) => problems.report(rules::inserts(insert, overlaid.carried.profile)),
                Entry::Change(change) => overlaid.change(change, problems),
            }
        }
        let expressions = Expressions::new(overlaid.carried.profile, &overlaid.carried.fixed);
        for id in &overlaid.replaced {
            overlaid.carried.config(id, &expressions, problems);
        }
        for id in &overlaid.switched {
            overlaid.carried.check_switch(id, &expressions, problems);
        }
        (!problems.has_errors()).then_some(overlaid)
    }

    fn row(&self, id: &str) -> Option<&CarriedRow> {
        self.rows.iter().find(|row| row.id == id)
    }

    /// What holds of a row or group after the overlays so far.
    fn documented(&self, id: &str) -> Option<&Row> {
        self.document.iter().find(|row| row.id.text == id)
    }

    fn switch(&self, id: &str) -> Option<&Given<Switch>> {
        Some(&self.documented(id)?.disabled.as_ref()?.current)
    }

    fn check_switch(&self, id: &str, expressions: &Expressions, problems: &mut Diagnostics) {
        let Some(Given { place, value: Switch::Expression(text), .. }) = self.switch(id) else { return };
        match expressions.analyse(text) {
            Err(faults) => faults.into_iter().for_each(|fault| problems.report(fault.diagnostic(place, text))),
            Ok(analysis) if analysis.is_string => problems.report(string_condition(place, text)),
            Ok(analysis) if analysis.reads_machine => problems.extend(analysis.warnings(place, text)),
            Ok(analysis) => {
                if let Err(message) = analysis.value.and_then(|value| boolean(&value)) {
                    problems.report(constant_expression(place, "`disabled`", &message).note_if(expressions.fixed_in(text)));
                }
            }
        }
    }

    /// The config of a row that the binary carries.
    fn config(&self, id: &str, expressions: &Expressions, problems: &mut Diagnostics) -> Option<StructValue> {
        let (row, carried) = (self.documented(id)?, self.row(id)?);
        let given = row.config.as_ref().map(|config| &config.current);
        let anchor: &Place = given.map_or(&row.id.place, |given| &given.key);
        let node: Option<&Node> = given.map(|given| &given.value);
        let at = PluginAt { name: carried.plugin.name, place: None };
        ConfigReader::new(&self.schemas, expressions, at, problems).config(carried.plugin.config.as_ref()?, node, anchor)
    }
}

impl Overlaid {
    fn change(&mut self, change: &Change, problems: &mut Diagnostics) {
        let (id, carried) = (change.id.text.as_str(), &mut self.carried);
        let row = carried.document.iter().position(|row| row.id.text == id);
        let is_group = carried.groups.contains(&id);
        let plugin = carried.row(id).map(|row| row.plugin.clone());
        let Some(row) = row.filter(|_| is_group || plugin.is_some()) else {
            problems.extend(rules::not_carried(change, row.is_some(), &carried.rows, carried.profile));
            return;
        };
        let refused = rules::not_honoured(change, is_group, carried.profile);
        if !refused.is_empty() {
            return problems.extend(refused);
        }
        if let Some(disabled) = change.settings.disabled.clone() {
            replace(&mut carried.document[row].disabled, disabled);
            note(&mut self.switched, id);
        }
        match (change.settings.config.clone(), plugin) {
            (Some(config), Some(plugin)) if plugin.config.is_none() => {
                if !is_empty_config(&config.value) {
                    problems.report(config_of_none(&config.key, plugin.name));
                }
            }
            (Some(config), _) => {
                replace(&mut carried.document[row].config, config);
                note(&mut self.replaced, id);
            }
            (None, _) => {}
        }
    }

    /// The rows after all overlays, those of presets left out.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.carried.document
    }

    /// Digest of the composition with the overlays: that of a build which had them, unless a group is switched.
    #[must_use]
    pub fn digest(&self) -> String {
        let Carried { profile, fixed, frame, rows, groups, hash, .. } = &self.carried;
        let expressions = Expressions::new(profile, fixed);
        let mut frame = *frame;
        for group in groups.iter().filter(|group| self.switched.iter().any(|id| id == *group)) {
            let disabled = self.carried.switch(group).map(|given| &given.value);
            frame = hash(format!("{frame:016x} group {group:?} {disabled:?}").as_bytes());
        }
        composition_digest(frame, rows.iter().filter_map(|row| self.row_digest(row, &expressions)), *hash)
    }

    /// `None` for a row that an overlay switches off whatever the machine says.
    fn row_digest(&self, row: &CarriedRow, expressions: &Expressions) -> Option<u64> {
        let is_in = |ids: &[String]| ids.iter().any(|id| id == row.id);
        if !is_in(&self.replaced) && !is_in(&self.switched) {
            return Some(row.digest);
        }
        let switch = self.carried.switch(row.id).filter(|_| is_in(&self.switched)).map(|given| &given.value);
        let off_when = match switch {
            None => row.off_when,
            Some(Switch::Expression(text)) => match expressions.analyse(text).ok()? {
                analysis if analysis.reads_machine => Some(text.trim()),
                analysis if analysis.value.as_ref().is_ok_and(|value| value.is_true()) => return None,
                _ => None,
            },
            Some(Switch::Literal(true)) => return None,
            Some(Switch::Literal(false) | Switch::Unknown) => None,
        };
        // Every config was found right, by the compiler or before this was made.
        let config = self.carried.config(row.id, expressions, &mut Diagnostics::new());
        let (plugin, groups) = (&row.plugin, row.groups.to_vec());
        let digested = DigestedRow { id: row.id, plugin: plugin.name, digest: plugin.digest, config: config.as_ref(), groups, off_when };
        Some(row_digest(&digested, self.carried.hash))
    }

    /// The replaced configs by row, their expressions evaluated: `names` holds the value of every name. What cannot be evaluated is
    /// reported, and left out.
    #[must_use]
    pub fn configs(&self, names: MachineNames, problems: &mut Diagnostics) -> BTreeMap<String, StructValue> {
        let expressions = Expressions::on_machine(self.carried.profile, names);
        let read = |id: &String| Some((id.clone(), self.carried.config(id, &expressions, problems)?));
        self.replaced.iter().filter_map(read).collect()
    }

    /// The rows and groups that are switched, expressions evaluated likewise.
    #[must_use]
    pub fn switched(&self, names: MachineNames, problems: &mut Diagnostics) -> Vec<Switched> {
        let expressions = Expressions::on_machine(self.carried.profile, names);
        let read = |id: &String| {
            let Given { key, place, value } = self.carried.switch(id)?;
            let disabled = match value {
                Switch::Literal(value) => *value,
                // What cannot be read was refused with the overlay.
                Switch::Unknown => return None,
                Switch::Expression(text) => {
                    let value = expressions.analyse(text).ok()?.value.and_then(|value| boolean(&value).map_err(|_| NO_BOOLEAN.to_owned()));
                    value.map_err(|message| problems.report(rules::machine_condition(place, id, &message))).ok()?
                }
            };
            Some(Switched { id: id.clone(), disabled, key: key.clone() })
        };
        self.switched.iter().filter_map(read).collect()
    }
}

/// A value that is no boolean may be a secret, so it is not shown.
const NO_BOOLEAN: &str = "it gives another value than `true` or `false`";

fn replace<T>(setting: &mut Option<Setting<T>>, given: Given<T>) {
    match setting {
        Some(setting) => setting.replace(given),
        None => *setting = Some(Setting::new(given)),
    }
}

fn note(ids: &mut Vec<String>, id: &str) {
    if !ids.iter().any(|other| other == id) {
        ids.push(id.to_owned());
    }
}
