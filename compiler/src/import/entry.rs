//! Entries of patch lists.

use super::lines::Lines;
use super::row::scalar;
use super::{Fate, Kind, Translator, whole};
use crate::load::{Node, NodeKind, plugin_of_package};

impl Translator<'_> {
    /// The entries of a patch list.
    pub(super) fn entries(&mut self, entries: &[Node]) -> Lines {
        let mut lines = Lines::default();
        for entry in entries {
            let above = Lines::of(self.comments.above(&entry.place));
            let written = match entry.get("insert").filter(|rows| is_truthy(rows)) {
                Some(rows) => self.insert(entry, rows),
                None => self.change(entry),
            };
            let beside = Lines::of(self.comments.beside(&entry.place));
            lines = lines.and(above).and(beside).and(written);
        }
        lines
    }

    fn insert(&mut self, entry: &Node, rows: &Node) -> Lines {
        let NodeKind::List(items) = &rows.kind else {
            return self.left_item(Kind::Change, None, &entry.place, "insert", "`insert` is a list of rows");
        };
        let group = entry.get("id").and_then(scalar);
        let into = group.map(|group| self.run.ids.of(group));
        let others = entry_keys(entry).filter(|(key, _)| !matches!(key.text.as_str(), "insert" | "id"));
        for (key, value) in others {
            let place = whole(&key.place, value);
            self.note(Kind::Feature, group, &place, &key.text, "the key has no meaning beside `insert`, and was dropped");
        }
        if let Some(Fate::Left | Fate::Plugin(_)) = into.as_ref().and_then(|id| self.run.rows.get(id)) {
            return self.left_item(
                Kind::Change,
                group,
                &entry.place,
                "insert",
                "the row that it inserts into is no group, or was left out",
            );
        }
        let rows = self.rows(items);
        let place = Lines::of(into.map(|id| format!("into: {id}")));
        match rows.has_values() {
            true => rows.below("insert").and(place).item(),
            false => rows.and(Lines::of(["insert: []"]).and(place).item()),
        }
    }

    /// An override. What would have had no effect is left out with the reason.
    fn change(&mut self, entry: &Node) -> Lines {
        let Some(original) = entry.get("id").and_then(scalar) else {
            return self.left(
                Kind::Change,
                None,
                &entry.place,
                "entry",
                "it neither inserts rows nor has the id of one, and has no effect there",
            );
        };
        let id = self.run.ids.of(original);
        let fate = self.run.rows.get(&id).cloned();
        let named = entry.get("name").and_then(scalar);
        let why = match (&fate, named) {
            (Some(Fate::Left), _) => Some("its row was left out".to_owned()),
            (Some(Fate::Plugin(plugin)), Some(name)) if plugin_of_package(name) != Some(plugin) => {
                Some(format!("the row mounts `{plugin}`, so that the change of a row with `{name}` has no effect there"))
            }
            (Some(Fate::Group), _) if entry.get("config").is_some() => {
                Some("the rows of a group cannot be replaced as a whole here: change each, or insert others".to_owned())
            }
            _ => None,
        };
        if let Some(why) = why {
            return self.left_item(Kind::Change, Some(original), &entry.place, original, &why);
        }
        if fate.is_none() {
            let why = "no file of this run inserts the row: where it is absent the change is an error here, unless it has `optional: true`";
            self.note(Kind::Change, Some(original), &entry.place, original, why);
        }
        // Which plugin a row of another file has may be said by the guard.
        let guarded = named.and_then(plugin_of_package).filter(|plugin| self.index.plugins.contains_key(*plugin));
        let fate = fate.or_else(|| guarded.map(|plugin| Fate::Plugin(plugin.to_owned()))).unwrap_or(Fate::Left);
        let mut lines = Lines::of([format!("id: {id}")]);
        let mut changes = false;
        for (key, value) in entry_keys(entry) {
            let written = match key.text.as_str() {
                "id" | "name" | "insert" => {
                    let above = Lines::of(self.comments.above(&key.place));
                    above.and(Lines::of(self.comments.beside(&value.place)))
                }
                _ => self.setting(original, key, value, &fate),
            };
            changes |= written.has_values();
            lines = lines.and(written);
        }
        if changes {
            return lines.item();
        }
        // Nothing is left that could be changed.
        let comments = lines.without_values();
        self.note(Kind::Change, Some(original), &entry.place, original, "nothing of the change is left");
        comments
    }
}

fn entry_keys(entry: &Node) -> impl Iterator<Item = &(crate::load::Key, Node)> {
    let entries: &[_] = if let NodeKind::Map(entries) = &entry.kind { entries } else { &[] };
    entries.iter()
}

/// As JavaScript sees it.
fn is_truthy(node: &Node) -> bool {
    match &node.kind {
        _ if node.is_null() => false,
        NodeKind::Plain(text) => !matches!(text.as_str(), "false" | "0"),
        NodeKind::Quoted(text) => !text.is_empty(),
        _ => true,
    }
}
