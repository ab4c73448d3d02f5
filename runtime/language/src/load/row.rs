//! Rows and the keys that a change may replace.

use super::javascript::plugin_of_package;
use super::node::{Key, Node, NodeKind};
use super::reading::{Fields, Named, Reading};
use super::rules;
use crate::diagnostics::Place;

/// Keys of a row.
const ROW: &[&str] = &["id", "plugin", "config", "disabled", "isolate", "rows"];

/// A value under a key.
#[derive(Clone, Debug)]
pub struct Given<T> {
    /// The key.
    pub key: Place,
    /// The value's place.
    pub place: Place,
    /// The value.
    pub value: T,
}

/// The keys that a row has and a change replaces.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `plugin`; `None` as a value where what is written cannot be a plugin's name.
    pub plugin: Option<Given<Option<String>>>,
    /// `config`: a mapping, or [`NodeKind::Refused`].
    pub config: Option<Given<Node>>,
    /// `disabled`
    pub disabled: Option<Given<Switch>>,
    /// `isolate`: service keys.
    pub isolate: Option<Given<Vec<Named>>>,
}

impl Settings {
    /// Whether no key is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plugin.is_none() && self.config.is_none() && self.disabled.is_none() && self.isolate.is_none()
    }
}

/// The value of `disabled`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Switch {
    /// `true` or `false`.
    Literal(bool),
    /// The text of an expression.
    Expression(String),
    /// Something that cannot be read; a diagnostic says so already.
    Unknown,
}

/// A row as an insert gives it.
#[derive(Clone, Debug)]
pub struct RowSpec {
    /// Its id.
    pub id: Named,
    /// Its keys.
    pub settings: Settings,
    /// Its children and the key that gives them: then it is a group.
    pub rows: Option<(Key, Vec<RowSpec>)>,
}

impl Reading<'_> {
    /// A list of rows. A row without a usable id is left out.
    pub fn rows(&mut self, node: &Node, what: &str) -> Vec<RowSpec> {
        let Some(items) = self.list(node, what, "rows") else {
            self.complete = false;
            return Vec::new();
        };
        let mut rows = Vec::with_capacity(items.len());
        for item in items {
            match self.row(item) {
                Some(row) => rows.push(row),
                None => self.complete = false,
            }
        }
        rows
    }

    fn row(&mut self, node: &Node) -> Option<RowSpec> {
        let fields = self.row_fields(node, "a row", ROW)?;
        let settings = self.settings(&fields);
        let rows = fields.get("rows").map(|(key, rows)| (key.clone(), self.rows(rows, "`rows`")));
        match &rows {
            Some((key, _)) => {
                for (other, _) in ["plugin", "config"].iter().filter_map(|other| fields.get(other)) {
                    self.problems.report(rules::group_or_plugin(key, other));
                }
            }
            None if settings.plugin.is_none() && fields.lacks("plugin") => {
                self.problems.report(rules::missing_key(node, "a row", "plugin", "plugin: …"))
            }
            None => {}
        }
        if fields.lacks("id") {
            self.problems.report(rules::missing_key(node, "a row", "id", "id: …"));
        }
        let id = self.name(fields.value("id")?, "a row's id")?;
        Some(RowSpec { id, settings, rows })
    }

    /// The keys of a row or a change. `name` is read, for overlays of the reference, and not listed as known.
    pub fn row_fields<'n>(&mut self, node: &'n Node, owner: &str, known: &[&str]) -> Option<Fields<'n>> {
        let NodeKind::Map(entries) = &node.kind else { return self.fields(node, owner, known) };
        let Some((name, _)) = entries.iter().find(|(key, _)| key.text == "name") else { return self.fields(node, owner, known) };
        if let Some((plugin, _)) = entries.iter().find(|(key, _)| key.text == "plugin") {
            self.problems.report(rules::name_and_plugin(name, plugin));
        }
        self.fields(node, owner, &[known, &["name"]].concat())
    }

    /// The replaceable keys among `fields`.
    pub fn settings(&mut self, fields: &Fields<'_>) -> Settings {
        let plugin = fields.get("plugin").map(|(key, node)| given(key, node, self.name(node, "a plugin's name").map(|name| name.text)));
        let named = fields.get("name").map(|(key, node)| given(key, node, self.foreign_name(node)));
        let config = fields.get("config").map(|(key, node)| given(key, node, self.config(node)));
        let disabled = fields.get("disabled").map(|(key, node)| given(key, node, self.switch(node)));
        let isolate = fields.get("isolate").map(|(key, node)| {
            let keys = self.list(node, "`isolate`", "service keys").unwrap_or_default();
            given(key, node, keys.iter().filter_map(|item| self.text(item, "a service key")).collect())
        });
        Settings { plugin: plugin.or(named), config, disabled, isolate }
    }

    /// `name: '@deepseek-ai/dsh-NAME'`, the reference's spelling of `plugin: NAME`.
    fn foreign_name(&mut self, node: &Node) -> Option<String> {
        let name = self.text(node, "`name`")?;
        let plugin = plugin_of_package(&name.text);
        if plugin.is_none() {
            self.problems.report(rules::foreign_plugin_name(&name.text, &name.place));
        }
        plugin.map(str::to_owned)
    }

    fn config(&mut self, node: &Node) -> Node {
        if let NodeKind::Map(_) = node.kind {
            return node.clone();
        }
        self.wrong_kind(node, "`config`", "a mapping (`{}` for none)");
        Node { place: node.place.clone(), kind: NodeKind::Refused }
    }

    fn switch(&mut self, node: &Node) -> Switch {
        match &node.kind {
            NodeKind::Expression(text) => Switch::Expression(text.clone()),
            NodeKind::Plain(text) if text == "true" => Switch::Literal(true),
            NodeKind::Plain(text) if text == "false" => Switch::Literal(false),
            _ => {
                self.wrong_kind(node, "`disabled`", "`true`, `false` or an expression");
                Switch::Unknown
            }
        }
    }
}

fn given<T>(key: &Key, node: &Node, value: T) -> Given<T> {
    Given { key: key.place.clone(), place: node.place.clone(), value }
}
