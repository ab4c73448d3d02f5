//! Rows.

use super::config::Owner;
use super::include::is_include;
use super::lines::Lines;
use super::{Fate, Kind, Translator, whole};
use crate::load::{Key, Node, NodeKind, plugin_of_package};

/// Names of a row that is a group.
const GROUP: &str = "cordis:group";

const PLUGIN_INJECTS: &str = "a row here waits for what its plugin declares, and for nothing else";
const NO_INTERCEPT: &str = "a row has no options for services here";
const NO_LABEL: &str = "a realm is that of a group here and has no label";

impl Translator<'_> {
    /// A plain list of rows.
    pub(super) fn row_list(&mut self, rows: &[Node]) -> Lines {
        let mut lines = Lines::default();
        for neighbours in rows.chunk_by(|row, next| !is_include(row) && !is_include(next)) {
            lines = lines.and(match neighbours {
                [row] if is_include(row) => self.include(row),
                rows => {
                    let rows = self.rows(rows);
                    if rows.has_values() { Lines::of(["- insert:"]).and(rows.indented().indented()) } else { rows }
                }
            });
        }
        lines
    }

    /// The elements of a list of rows.
    pub(super) fn rows(&mut self, rows: &[Node]) -> Lines {
        let mut lines = Lines::default();
        for row in rows {
            let above = Lines::of(self.comments.above(&row.place));
            let written = self.row(row);
            let beside = Lines::of(self.comments.beside(&row.place));
            lines = lines.and(above).and(beside).and(written);
        }
        lines
    }

    fn row(&mut self, node: &Node) -> Lines {
        let NodeKind::Map(entries) = &node.kind else {
            return self.left_item(Kind::Row, None, &node.place, "row", "a row is a mapping");
        };
        let original = node.get("id").and_then(scalar);
        let name = node.get("name").and_then(scalar);
        let is_group = name == Some(GROUP) || node.get("group").is_some_and(|group| scalar(group) == Some("true"));
        let plugin = name.and_then(plugin_of_package).filter(|plugin| self.index.plugins.contains_key(*plugin));
        let fate = match (is_group, plugin) {
            (true, _) => Fate::Group,
            (false, Some(plugin)) => Fate::Plugin(plugin.to_owned()),
            (false, None) => Fate::Left,
        };
        let id = self.id(node, original, plugin.unwrap_or("group"), &fate);
        if let Some(id) = &id {
            self.run.rows.insert(id.clone(), fate.clone());
        }
        let shown = original.or(id.as_deref()).or(name).unwrap_or("row");
        let head = match (&fate, &id) {
            (Fate::Left, _) | (_, None) => return self.row_without_counterpart(node, original, name),
            (Fate::Group, Some(id)) => Lines::of([format!("id: {id}")]),
            (Fate::Plugin(plugin), Some(id)) => Lines::of([format!("id: {id}"), format!("plugin: {plugin}")]),
        };
        self.found.rows += usize::from(!is_group);
        head.and(self.row_keys(shown, entries, &fate)).item()
    }

    /// The id of a row that has a counterpart, or that others may speak of.
    fn id(&mut self, node: &Node, original: Option<&str>, plugin: &str, fate: &Fate) -> Option<String> {
        let Some(original) = original else {
            if *fate == Fate::Left {
                return None;
            }
            let id = self.run.ids.for_plugin(plugin);
            self.note(Kind::Id, None, &node.place, &id, "the row had no id and got this one");
            return Some(id);
        };
        let id = self.run.ids.of(original);
        if id != original && *fate != Fate::Left {
            self.note(Kind::Id, Some(original), &node.place, &id, "ids are lower-case words with hyphens here");
        }
        Some(id)
    }

    fn row_without_counterpart(&mut self, node: &Node, original: Option<&str>, name: Option<&str>) -> Lines {
        let (kind, what, why) = match name {
            Some(_) if is_include(node) => {
                (Kind::Feature, "include", "another file can only be included at the top here: as a bundle of the profile".to_owned())
            }
            Some(name) => (Kind::Row, name, "no plugin of this workspace stands for it".to_owned()),
            None => (Kind::Row, "name", "the row names no plugin".to_owned()),
        };
        self.left_item(kind, original, &node.place, what, &why)
    }

    fn row_keys(&mut self, row: &str, entries: &[(Key, Node)], fate: &Fate) -> Lines {
        let mut lines = Lines::default();
        for (key, value) in entries {
            lines = lines.and(match (key.text.as_str(), fate) {
                ("id" | "name" | "group", _) => {
                    let above = Lines::of(self.comments.above(&key.place));
                    above.and(Lines::of(self.comments.beside(&value.place)))
                }
                ("config", Fate::Group) => self.children(row, key, value),
                _ => self.setting(row, key, value, fate),
            });
        }
        if *fate == Fate::Group && !entries.iter().any(|(key, _)| key.text == "config") {
            lines = lines.and(Lines::of(["rows: []"]));
        }
        lines
    }

    fn children(&mut self, row: &str, key: &Key, value: &Node) -> Lines {
        let above = Lines::of(self.comments.above(&key.place));
        match &value.kind {
            NodeKind::List(rows) => {
                let rows = self.rows(rows);
                above.and(if rows.has_values() { rows.below("rows") } else { rows.and(Lines::of(["rows: []"])) })
            }
            _ => {
                let left = self.left(Kind::Row, Some(row), &whole(&key.place, value), "config", "the config of a group is a list of rows");
                above.and(left).and(Lines::of(["rows: []"]))
            }
        }
    }

    /// A key that a row has and an override replaces.
    pub(super) fn setting(&mut self, row: &str, key: &Key, value: &Node, fate: &Fate) -> Lines {
        let place = whole(&key.place, value);
        let index = self.index;
        match key.text.as_str() {
            "disabled" => self.switch(row, key, value),
            "config" => {
                let plugin = if let Fate::Plugin(plugin) = fate { index.plugins.get(plugin) } else { None };
                self.config(Owner { row, plugin }, key, value)
            }
            "isolate" => self.isolate(row, key, value),
            "inject" => self.feature(row, key, value, PLUGIN_INJECTS),
            "intercept" => self.feature(row, key, value, NO_INTERCEPT),
            other => {
                let above = Lines::of(self.comments.above(&key.place));
                self.comments.skip(&place);
                self.note(Kind::Feature, Some(row), &place, other, "the key has no meaning there and none here, and was dropped");
                above
            }
        }
    }

    /// A key without counterpart. One that says nothing is dropped.
    fn feature(&mut self, row: &str, key: &Key, value: &Node, why: &str) -> Lines {
        let above = Lines::of(self.comments.above(&key.place));
        let says_nothing = value.is_null()
            || matches!(&value.kind, NodeKind::List(items) if items.is_empty())
            || matches!(&value.kind, NodeKind::Map(entries) if entries.is_empty());
        if says_nothing {
            self.comments.skip(&value.place);
            return above;
        }
        above.and(self.left(Kind::Feature, Some(row), &whole(&key.place, value), &key.text, why))
    }

    /// Keys of services, as a list. A label shares a realm with others of its name.
    fn isolate(&mut self, row: &str, key: &Key, value: &Node) -> Lines {
        let above = Lines::of(self.comments.above(&key.place));
        let NodeKind::Map(entries) = &value.kind else {
            return above.and(self.feature(row, key, value, "`isolate` is a mapping of service keys"));
        };
        let (mut keys, mut left) = (Vec::new(), Lines::default());
        for (service, realm) in entries {
            let place = whole(&service.place, realm);
            let is_known = self.index.services.values().any(|declared| declared.decl.key.value == service.text);
            match scalar(realm) {
                Some("true") if is_known => keys.push(service.text.clone()),
                Some("true") => {
                    let why = format!("no plugin of this workspace declares a service `{}`", service.text);
                    left = left.and(self.left(Kind::Feature, Some(row), &place, &format!("isolate.{}", service.text), &why));
                }
                _ => left = left.and(self.left(Kind::Feature, Some(row), &place, &format!("isolate.{}", service.text), NO_LABEL)),
            }
        }
        self.comments.skip(&value.place);
        let keys = if keys.is_empty() { Lines::default() } else { Lines::of([format!("isolate: [{}]", keys.join(", "))]) };
        above.and(left).and(keys)
    }
}

/// The text of a scalar without expressions.
pub(super) fn scalar(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Plain(text) | NodeKind::Quoted(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}
