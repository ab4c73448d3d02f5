//! Checks each row by itself: whether it mounts, its plugin, its config.

use std::collections::BTreeMap;

use dsh_language::check::rules::{config_of_none, constant_expression, is_empty_config, string_condition};
use dsh_language::check::{ConfigReader, Expressions, PluginAt, boolean};
use dsh_language::schema::Schemas;

use super::StructValue;
use super::condition::{Combination, Conditions, Literal, MOST_CONDITIONS};
use super::groups::{Group, Groups, State};
use super::{rules, schemas};
use crate::diagnostics::Diagnostics;
use crate::index::{Index, PluginEntry};
use crate::load::{Given, Named, Profile, Switch};
use crate::resolve::{Composition, Row};

/// The rows of a composition after each was checked by itself.
pub struct Rows<'a> {
    /// Rows that mount, where the machine says so or always: the composition's in order, then those of each preset.
    pub mounted: Vec<MountedRow<'a>>,
    /// Rows with a known plugin that a constant `disabled` keeps from mounting.
    pub disabled: Vec<DisabledRow<'a>>,
    /// Groups.
    pub groups: Groups<'a>,
    /// Names of the presets.
    pub presets: Vec<&'a Named>,
    /// Conditions under which rows are off.
    pub conditions: Conditions,
    /// The variables in which rows look for secrets, each with the first of them.
    pub withheld: BTreeMap<String, String>,
    /// Whether these are all rows: when not, nothing may be concluded from the absence of one.
    pub is_whole: bool,
}

/// A row that mounts, where its conditions let it.
pub struct MountedRow<'a> {
    /// Its id, which for a row of a preset starts with the preset's name.
    pub id: String,
    /// The row.
    pub row: &'a Row,
    /// Its plugin.
    pub plugin: &'a PluginEntry,
    /// Its config; `None` when the plugin takes none, or when it is not right.
    pub config: Option<StructValue>,
    /// The preset that it belongs to.
    pub preset: Option<usize>,
    /// The innermost group around it.
    pub group: Option<usize>,
    /// Its own condition.
    pub condition: Option<(Literal, &'a Given<Switch>)>,
    /// Its condition and those of the groups around it: it is off when one holds.
    pub off_when: Vec<Literal>,
}

impl MountedRow<'_> {
    /// Whether it mounts where the conditions turn out so.
    #[must_use]
    pub fn is_on(&self, combination: Combination) -> bool {
        !self.off_when.iter().any(|literal| combination.makes(*literal))
    }
}

/// A row that does not mount and could.
pub struct DisabledRow<'a> {
    /// The row.
    pub row: &'a Row,
    /// Its plugin.
    pub plugin: &'a PluginEntry,
    /// What keeps it from mounting: its own `disabled`, or that of a group around it.
    pub by: &'a Given<Switch>,
}

/// Checks each row by itself.
pub fn check_rows<'a>(composition: &'a Composition, index: &'a Index, problems: &mut Diagnostics) -> Rows<'a> {
    let rows = Rows {
        mounted: Vec::new(),
        disabled: Vec::new(),
        groups: Groups::default(),
        presets: composition.presets.iter().map(|preset| &preset.name).collect(),
        conditions: Conditions::default(),
        withheld: BTreeMap::new(),
        is_whole: composition.complete,
    };
    let Profile { name, build, .. } = &composition.profile;
    let expressions = Expressions::new(&name.text, &build.fixed());
    let mut checking = Checking { index, schemas: schemas(index), expressions, problems, rows };
    checking.list(&composition.rows, None);
    for (at, preset) in composition.presets.iter().enumerate() {
        checking.list(&preset.rows, Some((at, &preset.name.text)));
    }
    let Checking { rows, problems, .. } = checking;
    if rows.conditions.len() > MOST_CONDITIONS {
        problems.report(rules::too_many_conditions(&rows.conditions));
    }
    rows
}

struct Checking<'a, 'p> {
    index: &'a Index,
    schemas: Schemas,
    expressions: Expressions,
    problems: &'p mut Diagnostics,
    rows: Rows<'a>,
}

impl<'a> Checking<'a, '_> {
    /// The rows of the composition, or of a preset.
    fn list(&mut self, rows: &'a [Row], preset: Option<(usize, &str)>) {
        // The groups around the row that is next, with their depths.
        let mut around: Vec<(usize, usize)> = Vec::new();
        for row in rows {
            around.retain(|(depth, _)| *depth < row.depth);
            let group = around.last().map(|(_, group)| *group);
            if row.is_group {
                let state = self.state(row, group);
                self.rows.is_whole &= !matches!(state, State::Unknown);
                self.rows.groups.known.push(Group { row, preset: preset.map(|(at, _)| at), parent: group, state });
                around.push((row.depth, self.rows.groups.known.len() - 1));
            } else {
                self.row(row, group, preset);
            }
        }
    }

    fn row(&mut self, row: &'a Row, group: Option<usize>, preset: Option<(usize, &str)>) {
        if let Some(isolate) = row.isolate.as_ref().filter(|isolate| !isolate.value().is_empty()) {
            self.problems.report(rules::isolate_without_group(&isolate.current.key, &row.id));
        }
        let own = self.state(row, group);
        let states = || [own].into_iter().chain(self.rows.groups.around(group).map(|(_, group)| group.state));
        let off = states().find_map(|state| if let State::Off(by) = state { Some(by) } else { None });
        let is_known = states().all(|state| !matches!(state, State::Unknown));
        let off_when = states().filter_map(|state| if let State::When(literal, _) = state { Some(literal) } else { None }).collect();
        let Some(plugin) = plugin(row, self.index, self.problems) else {
            // A row that is certainly disabled provides nothing, whatever its plugin is.
            self.rows.is_whole &= off.is_some();
            return;
        };
        let named = PluginAt { name: &plugin.name, place: Some(&plugin.declared.place) };
        let mut reader = ConfigReader::new(&self.schemas, &self.expressions, named, self.problems);
        reader.written_for = written_for(row);
        reader.demands = off.is_none() && is_known;
        let config = config(row, plugin, reader);
        for variable in config.iter().flat_map(rules::secrets_of) {
            self.rows.withheld.entry(variable.to_owned()).or_insert_with(|| row.id.text.clone());
        }
        match off {
            Some(by) => self.rows.disabled.push(DisabledRow { row, plugin, by }),
            None if !is_known => self.rows.is_whole = false,
            None => {
                rules::platform(row, plugin, self.problems);
                let id = preset.map_or_else(|| row.id.text.clone(), |(_, name)| format!("{name}/{}", row.id.text));
                let condition = if let State::When(literal, given) = own { Some((literal, given)) } else { None };
                let preset = preset.map(|(at, _)| at);
                self.rows.mounted.push(MountedRow { id, row, plugin, config, preset, group, condition, off_when });
            }
        }
    }

    fn state(&mut self, row: &'a Row, group: Option<usize>) -> State<'a> {
        let Some(disabled) = &row.disabled else { return State::On };
        let given = &disabled.current;
        let text = match &given.value {
            Switch::Literal(true) => return State::Off(given),
            Switch::Literal(false) => return State::On,
            Switch::Unknown => return State::Unknown,
            Switch::Expression(text) => text,
        };
        let analysis = match self.expressions.analyse(text) {
            Ok(analysis) => analysis,
            Err(faults) => {
                faults.into_iter().for_each(|fault| self.problems.report(fault.diagnostic(&given.place, text)));
                return State::Unknown;
            }
        };
        if analysis.is_string {
            self.problems.report(string_condition(&given.place, text));
            return State::Unknown;
        }
        // Inside of what is off anyway a condition decides nothing.
        if analysis.reads_machine && self.rows.groups.around(group).any(|(_, group)| matches!(group.state, State::Off(_))) {
            return State::On;
        }
        if analysis.reads_machine {
            self.problems.extend(analysis.warnings(&given.place, text));
            return State::When(self.rows.conditions.add(text, &given.place), given);
        }
        match analysis.value.and_then(|value| boolean(&value)) {
            Ok(true) => State::Off(given),
            Ok(false) => State::On,
            Err(message) => {
                let problem = constant_expression(&given.place, "`disabled`", &message);
                self.problems.report(problem.note_if(self.expressions.fixed_in(text)));
                State::Unknown
            }
        }
    }
}

fn plugin<'i>(row: &Row, index: &'i Index, problems: &mut Diagnostics) -> Option<&'i PluginEntry> {
    let given = &row.plugin.as_ref()?.current;
    let name = given.value.as_deref()?;
    let found = index.plugins.get(name);
    if found.is_none() {
        problems.report(rules::unknown_plugin(name, &given.place, index));
    }
    found
}

/// A note on a config that came with the row and outlived the plugin that it was written for.
fn written_for(row: &Row) -> Option<String> {
    let (plugin, config) = (row.plugin.as_ref()?, row.config.as_ref()?);
    let first = plugin.earlier.first().filter(|_| config.earlier.is_empty())?.value.as_deref()?;
    let by = &plugin.current.key;
    // A config that a later layer gave came with the plugin that the same layer gave, or after it.
    (config.current.key.file.name() != by.file.name())
        .then(|| format!("the config was written for plugin `{first}`, which {by} replaced; write `config: {{}}` there to drop it"))
}

fn config(row: &Row, plugin: &PluginEntry, mut reader: ConfigReader<'_>) -> Option<StructValue> {
    let given = row.config.as_ref().map(|config| &config.current);
    let Some(item) = &plugin.config else {
        if let Some(given) = given.filter(|given| !is_empty_config(&given.value)) {
            reader.problems.report(config_of_none(&given.key, &plugin.name).note_if(reader.written_for));
        }
        return None;
    };
    // The plugin's name stands for the config that the row does not give.
    let anchor = given.map(|given| &given.key).or(row.plugin.as_ref().map(|plugin| &plugin.current.place)).unwrap_or(&row.id.place);
    reader.config(item, given.map(|given| &given.value), anchor)
}
