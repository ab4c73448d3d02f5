//! Entries of patch lists.

use super::node::{Key, Node, NodeKind};
use super::reading::{Fields, Named, Reading};
use super::row::{RowSpec, Settings};
use super::rules;
use crate::diagnostics::Place;

/// Keys of an entry that inserts.
const INSERT: &[&str] = &["insert", "before", "after", "into"];
/// Keys of an entry that changes.
const CHANGE: &[&str] = &["id", "config", "disabled", "plugin", "isolate", "optional"];

/// An entry of a patch list.
#[derive(Clone, Debug)]
pub enum Entry {
    /// Adds rows.
    Insert(Insert),
    /// Replaces keys of a row.
    Change(Box<Change>),
}

/// Adds rows.
#[derive(Clone, Debug)]
pub struct Insert {
    /// The key `insert`.
    pub key: Place,
    /// Where; absent: at the end.
    pub position: Option<Position>,
    /// The rows.
    pub rows: Vec<RowSpec>,
}

/// Where rows are added.
#[derive(Clone, Debug)]
pub struct Position {
    /// In which relation to the row.
    pub relation: Relation,
    /// The row.
    pub row: Named,
}

/// The relation of added rows to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Directly before it.
    Before,
    /// Directly after it.
    After,
    /// At the end of this group.
    Into,
}

/// Replaces keys of a row.
#[derive(Clone, Debug)]
pub struct Change {
    /// The row.
    pub id: Named,
    /// The keys with their new values.
    pub settings: Settings,
    /// Whether an absent row is passed over.
    pub optional: bool,
}

impl Reading<'_> {
    /// A patch list. Entries that cannot be read are left out.
    pub fn patch_list(&mut self, node: &Node, what: &str) -> Vec<Entry> {
        let Some(items) = self.list(node, what, "entries") else {
            self.complete = false;
            return Vec::new();
        };
        let mut entries = Vec::with_capacity(items.len());
        for item in items {
            match self.entry(item) {
                Some(entry) => entries.push(entry),
                None => self.complete = false,
            }
        }
        entries
    }

    fn entry(&mut self, node: &Node) -> Option<Entry> {
        // Nothing is known of an entry until its kind is, so its other keys are not judged before.
        let insert = node.get("insert");
        match (insert, node.get("id")) {
            (Some(rows), None) => self.insert(node, rows).map(Entry::Insert),
            (None, Some(id)) => self.change(node, id).map(|change| Entry::Change(Box::new(change))),
            (Some(rows), Some(id)) => {
                self.problems.report(rules::insert_and_id(&rows.place, &id.place));
                None
            }
            (None, None) => {
                self.refuse_entry(node);
                None
            }
        }
    }

    /// An entry that neither inserts nor changes: its `insert` or `id` is misspelt, or missing.
    fn refuse_entry(&mut self, node: &Node) {
        let NodeKind::Map(entries) = &node.kind else {
            self.wrong_kind(node, "an entry", "a mapping");
            return;
        };
        let known = ["insert", "id"];
        let mut misspelt = entries.iter().filter(|(key, _)| rules::meant_key(&key.text, &known).is_some()).peekable();
        if misspelt.peek().is_none() {
            self.problems.report(rules::neither_insert_nor_id(node));
        }
        misspelt.for_each(|(key, _)| self.problems.report(rules::unknown_key(key, "an entry", &known)));
    }

    fn insert(&mut self, node: &Node, rows: &Node) -> Option<Insert> {
        let fields = self.fields(node, "an insert", INSERT)?;
        let position = self.position(&fields);
        let key = fields.get("insert").map_or_else(|| node.place.clone(), |(key, _)| key.place.clone());
        Some(Insert { key, position, rows: self.rows(rows, "`insert`") })
    }

    fn position(&mut self, fields: &Fields<'_>) -> Option<Position> {
        let relations = [("before", Relation::Before), ("after", Relation::After), ("into", Relation::Into)];
        let mut given: Vec<(&Key, &Node, Relation)> = Vec::new();
        for (name, relation) in relations {
            if let Some((key, node)) = fields.get(name) {
                given.push((key, node, relation));
            }
        }
        given.sort_by_key(|(key, ..)| key.place.span.start);
        if let [(first, ..), (second, ..), ..] = given[..] {
            self.problems.report(rules::two_positions(first, second));
        }
        let (_, node, relation) = *given.first()?;
        Some(Position { relation, row: self.name(node, "a row's id")? })
    }

    fn change(&mut self, node: &Node, id: &Node) -> Option<Change> {
        let fields = self.row_fields(node, "a change", CHANGE)?;
        let settings = self.settings(&fields);
        let optional = fields.value("optional").and_then(|value| self.boolean(value, "`optional`")).unwrap_or(false);
        let id = self.name(id, "a row's id")?;
        if settings.is_empty() && fields.all_known() {
            self.problems.report(rules::empty_change(&id));
        }
        Some(Change { id, settings, optional })
    }
}
