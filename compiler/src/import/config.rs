//! Config of a row, compared with what its plugin declares here.

use dsh_declare::model::{ConfigBody, FieldDecl, FieldType};

use super::lines::Lines;
use super::{Kind, Translator, whole};
use crate::index::PluginEntry;
use crate::load::{Key, Node, NodeKind, Numbers, Use, literal, translate_javascript_for};

/// What stands in the place of an expression that has no equal: no name of the language, so that no composition with it is accepted.
const PLACEHOLDER: &str = "not_translated";

/// A row that a config belongs to.
#[derive(Clone, Copy)]
pub(super) struct Owner<'a> {
    /// Its id, as the file has it.
    pub row: &'a str,
    /// Its plugin; `None` where that stands in no file of the run.
    pub plugin: Option<&'a PluginEntry>,
}

/// What is known of a value.
#[derive(Clone, Copy)]
struct Known<'a> {
    package: &'a str,
    ty: &'a FieldType,
    /// The field, when the value is the whole of it.
    field: Option<&'a FieldDecl>,
}

impl Translator<'_> {
    /// The key `config` with what it holds; comments alone when nothing of it is left.
    pub(super) fn config(&mut self, owner: Owner<'_>, key: &Key, node: &Node) -> Lines {
        let above = Lines::of(self.comments.above(&key.place));
        let index = self.index;
        let NodeKind::Map(entries) = &node.kind else {
            self.comments.skip(&node.place);
            // Without a config the defaults of the plugin hold, in a change as well.
            let is_null = node.is_null();
            if is_null {
                let empty = Node { place: node.place.clone(), kind: NodeKind::Map(Vec::new()) };
                return above.and(Lines::entry("config", &empty, None));
            }
            return above.and(self.left(
                Kind::ConfigField,
                Some(owner.row),
                &whole(&key.place, node),
                "config",
                "a config is a mapping here",
            ));
        };
        let declared = owner.plugin.and_then(|plugin| index.configs.get(plugin.config.as_ref()?));
        let fields = match (owner.plugin, declared.map(|declared| &declared.decl.body)) {
            (None, _) => None,
            (Some(_), Some(ConfigBody::Struct(fields))) => Some(&fields[..]),
            (Some(_), _) => Some(&[][..]),
        };
        let package = declared.map_or("", |declared| declared.id.package.as_str());
        let held = match fields {
            Some(fields) => self.structure(owner, package, fields, entries, ""),
            None => self.entries_of_any(owner, entries, ""),
        };
        let is_empty = !held.has_values();
        let empty = Node { place: node.place.clone(), kind: NodeKind::Map(Vec::new()) };
        match is_empty {
            true => above.and(held).and(Lines::entry("config", &empty, None)),
            false => above.and(held.below("config")),
        }
    }

    fn structure(&mut self, owner: Owner<'_>, package: &str, fields: &[FieldDecl], entries: &[(Key, Node)], path: &str) -> Lines {
        let mut lines = Lines::default();
        for (key, value) in entries {
            let above = Lines::of(self.comments.above(&key.place));
            let path = join(path, &key.text);
            let Some(field) = fields.iter().find(|field| field.key == key.text) else {
                let why = match owner.plugin {
                    Some(plugin) if plugin.config.is_none() => format!("plugin `{}` takes no config here", plugin.name),
                    Some(plugin) => format!("plugin `{}` has no config field `{path}` here", plugin.name),
                    None => "no such config field".to_owned(),
                };
                let place = whole(&key.place, value);
                lines = lines.and(above).and(self.left(Kind::ConfigField, Some(owner.row), &place, &path, &why));
                continue;
            };
            if value.is_null() && !matches!(field.ty, FieldType::Option(_)) {
                // Null is absence there, and refused here.
                self.comments.skip(&value.place);
                lines = lines.and(above);
                continue;
            }
            let known = Known { package, ty: &field.ty, field: Some(field) };
            lines = lines.and(above).and(self.entry(owner, Some(known), key, value, &path));
        }
        lines
    }

    /// Entries of which nothing is declared.
    fn entries_of_any(&mut self, owner: Owner<'_>, entries: &[(Key, Node)], path: &str) -> Lines {
        let mut lines = Lines::default();
        for (key, value) in entries {
            let above = Lines::of(self.comments.above(&key.place));
            lines = lines.and(above).and(self.entry(owner, None, key, value, &join(path, &key.text)));
        }
        lines
    }

    fn entry(&mut self, owner: Owner<'_>, known: Option<Known<'_>>, key: &Key, value: &Node, path: &str) -> Lines {
        let name = dsh_language::document::key_text(&key.text);
        let lines = match &value.kind {
            NodeKind::Expression(script) => {
                let place = whole(&key.place, value);
                return match self.expression(known, script) {
                    Ok(text) => Lines::entry(&name, &expression(value, text), self.comments.beside(&value.place)),
                    Err(why) => {
                        let left = self.left(Kind::Expression, Some(owner.row), &place, path, &why);
                        left.and(Lines::entry(&name, &placeholder(value), self.comments.beside(&value.place)))
                    }
                };
            }
            NodeKind::Map(entries) if !entries.is_empty() => {
                let lines = self.mapping(owner, known, entries, path);
                if lines.has_values() { lines.below(&name) } else { lines.and(Lines::of([format!("{name}: {{}}")])) }
            }
            NodeKind::List(items) if !items.is_empty() => self.list(owner, known, items, path).below(&name),
            _ => return Lines::entry(&name, value, self.comments.beside(&value.place)),
        };
        match self.comments.beside(&value.place) {
            Some(comment) => Lines::of([comment]).and(lines),
            None => lines,
        }
    }

    fn mapping(&mut self, owner: Owner<'_>, known: Option<Known<'_>>, entries: &[(Key, Node)], path: &str) -> Lines {
        let index = self.index;
        match known.map(|known| (known, present(known.ty))) {
            Some((known, FieldType::Named(name))) => match index.config_body(known.package, name) {
                Some(ConfigBody::Struct(fields)) => self.structure(owner, known.package, fields, entries, path),
                _ => self.entries_of_any(owner, entries, path),
            },
            Some((known, FieldType::Map(inner))) => {
                let mut lines = Lines::default();
                for (key, value) in entries {
                    let above = Lines::of(self.comments.above(&key.place));
                    let inner = Known { ty: inner, field: None, ..known };
                    lines = lines.and(above).and(self.entry(owner, Some(inner), key, value, &join(path, &key.text)));
                }
                lines
            }
            _ => self.entries_of_any(owner, entries, path),
        }
    }

    fn list(&mut self, owner: Owner<'_>, known: Option<Known<'_>>, items: &[Node], path: &str) -> Lines {
        let inner = known.and_then(|known| match present(known.ty) {
            FieldType::List(inner) => Some(Known { ty: inner, field: None, ..known }),
            _ => None,
        });
        let mut lines = Lines::default();
        for (at, item) in items.iter().enumerate() {
            lines = lines.and(Lines::of(self.comments.above(&item.place)));
            let path = format!("{path}[{at}]");
            let element = match &item.kind {
                NodeKind::Expression(script) => match self.expression(inner, script) {
                    Ok(text) => Lines::element(&expression(item, text), self.comments.beside(&item.place)),
                    Err(why) => {
                        let left = self.left_item(Kind::Expression, Some(owner.row), &item.place, &path, &why);
                        left.and(Lines::element(&placeholder(item), self.comments.beside(&item.place)))
                    }
                },
                NodeKind::Map(entries) if !entries.is_empty() => {
                    let held = self.mapping(owner, inner, entries, &path);
                    if held.has_values() { held.item() } else { held.and(Lines::of(["- {}"])) }
                }
                NodeKind::List(items) if !items.is_empty() => self.list(owner, inner, items, &path).item(),
                _ => Lines::element(item, self.comments.beside(&item.place)),
            };
            // The comment behind brackets, which are not kept.
            lines = lines.and(Lines::of(self.comments.beside(&item.place))).and(element);
        }
        lines
    }

    /// The translation of an expression, or why there is none.
    fn expression(&self, known: Option<Known<'_>>, script: &str) -> Result<String, String> {
        let ty = known.map(|known| leaf(known.ty));
        let of = Use {
            numbers: if matches!(ty, Some(FieldType::Float)) { Numbers::Real } else { Numbers::Whole },
            unset: known.and_then(|known| known.field).and_then(unset),
            is_condition: false,
        };
        match (known, ty) {
            (_, Some(FieldType::SecretEnv)) => {
                return Err("a secret is no expression here: the field names the environment variable that holds it".to_owned());
            }
            (Some(known), Some(FieldType::Named(name)))
                if matches!(self.index.config_body(known.package, name), Some(ConfigBody::Struct(_))) =>
            {
                return Err("a nested config is no expression here: it is written out, and each value in it may be one".to_owned());
            }
            _ => {}
        }
        translate_javascript_for(script, &of).map_err(|untranslated| untranslated.reason)
    }

    /// `disabled` of a row: `true`, `false` or an expression. Null is `false`.
    pub(super) fn switch(&mut self, row: &str, key: &Key, node: &Node) -> Lines {
        let above = Lines::of(self.comments.above(&key.place));
        let beside = |translator: &mut Self| translator.comments.beside(&node.place);
        let of = Use { numbers: Numbers::Whole, unset: None, is_condition: true };
        let written = match &node.kind {
            NodeKind::Plain(text) if matches!(text.as_str(), "true" | "false") => Lines::entry("disabled", node, beside(self)),
            _ if node.is_null() => {
                let beside = beside(self);
                Lines::entry("disabled", &Node { place: node.place.clone(), kind: NodeKind::Plain("false".to_owned()) }, beside)
            }
            NodeKind::Expression(script) => match translate_javascript_for(script, &of) {
                Ok(text) => Lines::entry("disabled", &expression(node, text), beside(self)),
                Err(untranslated) => self.unknown_switch(row, key, node, &untranslated.reason),
            },
            _ => self.unknown_switch(row, key, node, "`disabled` is `true`, `false` or an expression here"),
        };
        above.and(written)
    }

    fn unknown_switch(&mut self, row: &str, key: &Key, node: &Node, why: &str) -> Lines {
        let left = self.left(Kind::Expression, Some(row), &whole(&key.place, node), "disabled", why);
        left.and(Lines::entry("disabled", &placeholder(node), self.comments.beside(&node.place)))
    }
}

fn placeholder(node: &Node) -> Node {
    expression(node, PLACEHOLDER.to_owned())
}

fn expression(node: &Node, text: String) -> Node {
    Node { place: node.place.clone(), kind: NodeKind::Expression(text) }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// The type inside `Option`.
fn present(ty: &FieldType) -> &FieldType {
    if let FieldType::Option(inner) = ty { inner } else { ty }
}

/// The type inside `Option`, `Vec` and `BTreeMap`.
fn leaf(ty: &FieldType) -> &FieldType {
    match ty {
        FieldType::Option(inner) | FieldType::List(inner) | FieldType::Map(inner) => leaf(inner),
        other => other,
    }
}

/// What an unset variable leaves a field to. An option stays without a value, and a field without a default must be given in both
/// languages.
fn unset(field: &FieldDecl) -> Option<String> {
    if matches!(field.ty, FieldType::Option(_)) { None } else { field.default.as_ref().map(|default| default.written(literal)) }
}
