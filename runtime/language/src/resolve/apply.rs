//! Applies the layers to an empty list of rows.

use std::collections::BTreeMap;

use super::row::{Row, Setting};
use super::rules;
use crate::diagnostics::{Diagnostics, Place};
use crate::load::{Change, Entry, Given, Insert, Layer, Position, Relation, RowSpec};

/// The rows that layers make.
#[derive(Clone, Debug)]
pub struct Applied {
    /// Every row, in order; the rows of a group follow it.
    pub rows: Vec<Row>,
    /// Whether these are all rows, and all that decides which of them mount was applied.
    pub complete: bool,
}

/// Applies all layers in order and reports what does not fit. What fits is in the result. `complete` says whether nothing was left out of
/// the layers, `taken` holds ids that no row may have.
#[must_use]
pub fn apply(layers: &[Layer], taken: BTreeMap<String, Place>, complete: bool, problems: &mut Diagnostics) -> Applied {
    let mut composing = Composing { rows: Vec::new(), taken, inserts: inserts(layers), complete, applied: true, problems };
    for entry in layers.iter().flat_map(|layer| &layer.entries) {
        match entry {
            Entry::Insert(insert) => composing.insert(insert),
            Entry::Change(change) => composing.change(change),
        }
    }
    Applied { rows: composing.rows, complete: complete && composing.applied }
}

/// Where each id is inserted first, in any layer: a change that comes before its row's insert deserves to be told so.
fn inserts(layers: &[Layer]) -> BTreeMap<String, Place> {
    fn add(rows: &[RowSpec], found: &mut BTreeMap<String, Place>) {
        for row in rows {
            found.entry(row.id.text.clone()).or_insert_with(|| row.id.place.clone());
            if let Some((_, children)) = &row.rows {
                add(children, found);
            }
        }
    }
    let mut found = BTreeMap::new();
    for entry in layers.iter().flat_map(|layer| &layer.entries) {
        if let Entry::Insert(insert) = entry {
            add(&insert.rows, &mut found);
        }
    }
    found
}

struct Composing<'a> {
    rows: Vec<Row>,
    /// Where each id of `rows` was given.
    taken: BTreeMap<String, Place>,
    /// Where each id is inserted, by this entry or a later one.
    inserts: BTreeMap<String, Place>,
    /// Whether nothing was left out of the layers.
    complete: bool,
    /// Whether all that decides which rows mount was applied.
    applied: bool,
    problems: &'a mut Diagnostics,
}

impl Composing<'_> {
    fn insert(&mut self, insert: &Insert) {
        let (at, depth) = insert.position.as_ref().and_then(|position| self.position(position)).unwrap_or((self.rows.len(), 0));
        let mut added = Vec::new();
        for row in &insert.rows {
            self.add(row, depth, &mut added);
        }
        self.rows.splice(at..at, added);
    }

    /// Adds a row and its children to `added`, unless the id is taken.
    fn add(&mut self, spec: &RowSpec, depth: usize, added: &mut Vec<Row>) {
        match self.taken.get(&spec.id.text) {
            Some(first) => {
                self.problems.report(rules::duplicate_row(&spec.id, first));
                self.applied = false;
            }
            None => {
                self.taken.insert(spec.id.text.clone(), spec.id.place.clone());
                let settings = spec.settings.clone();
                added.push(Row {
                    id: spec.id.clone(),
                    depth,
                    is_group: spec.rows.is_some(),
                    plugin: settings.plugin.map(Setting::new),
                    config: settings.config.map(Setting::new),
                    disabled: settings.disabled.map(Setting::new),
                    isolate: settings.isolate.map(Setting::new),
                });
            }
        }
        for child in spec.rows.iter().flat_map(|(_, rows)| rows) {
            self.add(child, depth + 1, added);
        }
    }

    /// Index and depth at which rows are inserted. `None` when the place is not there.
    fn position(&mut self, position: &Position) -> Option<(usize, usize)> {
        let Some(at) = self.rows.iter().position(|row| row.id.text == position.row.text) else {
            if self.complete {
                let absent = rules::absent_neighbour(position, &self.rows, self.elsewhere(&position.row.text).as_ref());
                self.problems.report(absent);
            }
            return None;
        };
        let row = &self.rows[at];
        let after = at + 1 + self.rows[at + 1..].iter().take_while(|next| next.depth > row.depth).count();
        match position.relation {
            Relation::Before => Some((at, row.depth)),
            Relation::After => Some((after, row.depth)),
            Relation::Into if row.is_group => Some((after, row.depth + 1)),
            Relation::Into => {
                self.problems.report(rules::not_a_group(&position.row, &row.id));
                None
            }
        }
    }

    /// Where a row is that none of `rows` is.
    fn elsewhere(&self, id: &str) -> Option<rules::Elsewhere<'_>> {
        let outside = self.taken.get(id).map(rules::Elsewhere::Outside);
        outside.or_else(|| self.inserts.get(id).map(rules::Elsewhere::Later))
    }

    fn change(&mut self, change: &Change) {
        let Some(row) = self.rows.iter_mut().find(|row| row.id.text == change.id.text) else {
            if self.complete && !change.optional {
                let absent = rules::absent_row(change, &self.rows, self.elsewhere(&change.id.text).as_ref());
                self.problems.report(absent);
                self.applied &= change.settings.plugin.is_none() && change.settings.disabled.is_none();
            }
            return;
        };
        if row.is_group
            && let Some(given) =
                change.settings.plugin.as_ref().map(|given| &given.key).or(change.settings.config.as_ref().map(|given| &given.key))
        {
            self.problems.report(rules::group_as_plugin(given, &row.id));
        }
        let settings = change.settings.clone();
        replace(&mut row.plugin, settings.plugin);
        replace(&mut row.config, settings.config);
        replace(&mut row.disabled, settings.disabled);
        replace(&mut row.isolate, settings.isolate);
    }
}

fn replace<T>(setting: &mut Option<Setting<T>>, given: Option<Given<T>>) {
    let Some(given) = given else { return };
    match setting {
        Some(setting) => setting.replace(given),
        None => *setting = Some(Setting::new(given)),
    }
}
