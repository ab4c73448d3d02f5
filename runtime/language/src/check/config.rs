//! Reads a row's config as its plugin's config type. The declared type decides what a plain scalar means.

use super::expression::Expressions;
use super::rules;
use super::{StructValue, Value, bounds, number};
use crate::diagnostics::{Diagnostics, Place};
use crate::load::{Key, Node, NodeKind};
use crate::overlay::rules::machine_expression;
use crate::schema::{ConfigBody, FieldSchema, FieldType, ItemId, Schemas, VariantSchema};

/// Reads the config of one row.
pub struct ConfigReader<'a> {
    /// The config types that may occur.
    pub schemas: &'a Schemas,
    /// Expressions of the composition.
    pub expressions: &'a Expressions,
    /// The row's plugin.
    pub plugin: PluginAt<'a>,
    /// For which plugin the row's config was written, when another was put in its place since.
    pub written_for: Option<String>,
    /// Where problems go.
    pub problems: &'a mut Diagnostics,
    /// Whether required fields must be there; a row that does not mount may leave them to whoever enables it.
    pub demands: bool,
    /// The types whose defaults are being made, outermost first: one that holds itself by default would never end.
    pub(super) defaulting: Vec<ItemId>,
}

/// A row's plugin, for messages.
#[derive(Clone, Copy, Debug)]
pub struct PluginAt<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where it is declared; only the compiler knows.
    pub place: Option<&'a Place>,
}

/// A field, and where in the config a value of it stands.
pub struct FieldAt<'a> {
    /// The field.
    pub decl: &'a FieldSchema,
    /// Package of the type that declares it.
    pub package: &'a str,
    /// Path of the value, such as `models[0].id`.
    pub path: String,
}

impl FieldAt<'_> {
    fn element(&self, step: &str) -> Self {
        Self { decl: self.decl, package: self.package, path: format!("{}{step}", self.path) }
    }

    /// First line of the field's doc comment, for a note.
    #[must_use]
    pub fn doc(&self) -> Option<String> {
        (!self.decl.doc.is_empty()).then(|| format!("`{}`: {}", self.decl.key, self.decl.doc))
    }
}

impl<'a> ConfigReader<'a> {
    /// Of a row that mounts, whose config was written for its plugin.
    pub fn new(schemas: &'a Schemas, expressions: &'a Expressions, plugin: PluginAt<'a>, problems: &'a mut Diagnostics) -> Self {
        Self { schemas, expressions, plugin, written_for: None, problems, demands: true, defaulting: Vec::new() }
    }

    /// The config of a row that gives `node`. `anchor` is shown where a field is missing.
    pub fn config(&mut self, item: &ItemId, node: Option<&Node>, anchor: &Place) -> Option<StructValue> {
        match self.schemas.get(item).map(|(item, schema)| (item, &schema.body)) {
            Some((item, ConfigBody::Struct(fields))) => self.structure(item, fields, node, anchor, ""),
            Some((_, ConfigBody::Enum(_))) | None => {
                self.problems.report(rules::config_is_no_struct(anchor, item, self.plugin));
                None
            }
        }
    }

    /// A struct. `None` when a value of it is wrong; every wrong one is reported.
    pub(super) fn structure(
        &mut self,
        item: &'a ItemId,
        fields: &'a [FieldSchema],
        node: Option<&Node>,
        anchor: &Place,
        path: &str,
    ) -> Option<StructValue> {
        let entries: &[(Key, Node)] = match node.map(|node| &node.kind) {
            None => &[],
            Some(NodeKind::Map(entries)) => entries,
            Some(_) => return None,
        };
        for (key, _) in entries.iter().filter(|(key, _)| !fields.iter().any(|field| field.key == key.text)) {
            self.problems.report(rules::unknown_field(key, path, fields, self.plugin.name).note_if(self.written_for.clone()));
        }
        let mut values = Vec::with_capacity(fields.len());
        for decl in fields {
            let at = FieldAt { decl, package: &item.package, path: join(path, &decl.key) };
            let value = match entries.iter().find(|(key, _)| key.text == decl.key) {
                Some((_, node)) => self.field(&at, node),
                None => self.default_of(&at, anchor),
            };
            values.push(value.map(|value| (decl.ident.to_string(), value)));
        }
        let fields = values.into_iter().collect::<Option<Vec<_>>>()?;
        Some(StructValue { item: item.clone(), fields })
    }

    fn field(&mut self, at: &FieldAt<'a>, node: &Node) -> Option<Value> {
        let value = self.value(at, &at.decl.ty, node)?;
        bounds::check_whole(at, &value, &node.place, self.problems);
        Some(value)
    }

    fn value(&mut self, at: &FieldAt<'a>, ty: &'a FieldType, node: &Node) -> Option<Value> {
        if let NodeKind::Expression(text) = &node.kind {
            return self.expression(at, ty, node, text);
        }
        let value = match ty {
            FieldType::Option(_) if node.is_null() => return Some(Value::Option(None)),
            FieldType::Option(inner) => return self.value(at, inner, node).map(|value| Value::Option(Some(Box::new(value)))),
            _ if node.is_null() => {
                self.problems.report(rules::null_value(at, node));
                return None;
            }
            FieldType::List(inner) => return self.list(at, ty, inner, node),
            FieldType::Map(inner) => return self.map(at, ty, inner, node),
            FieldType::Named(name) => return self.named(at, ty, name, node),
            FieldType::SecretEnv => return self.secret(at, node),
            FieldType::Text => scalar(node).map(|text| Value::Text(text.to_owned())),
            FieldType::Path => scalar(node).map(|text| Value::Path(text.to_owned())),
            FieldType::Bool => plain(node).and_then(|text| text.parse().ok()).map(Value::Bool),
            FieldType::Int(_) => plain(node).and_then(number::parse_integer).map(Value::Int),
            FieldType::Float => plain(node).and_then(number::parse_float).map(Value::Float),
        };
        match &value {
            Some(value) => {
                bounds::check_leaf(at, ty, value, &node.place, self.problems);
                if let Value::Text(text) | Value::Path(text) = value
                    && at.decl.bounds.one_of.is_empty()
                {
                    self.problems.extend(rules::literal_reference(at, ty, text, &node.place));
                }
            }
            None => self.wrong_type(at, ty, node),
        }
        value
    }

    fn wrong_type(&mut self, at: &FieldAt<'_>, ty: &FieldType, node: &Node) {
        if !matches!(node.kind, NodeKind::Refused) {
            self.problems.report(rules::wrong_type(at, ty, node, self.schemas));
        }
    }

    fn list(&mut self, at: &FieldAt<'a>, ty: &FieldType, inner: &'a FieldType, node: &Node) -> Option<Value> {
        let NodeKind::List(items) = &node.kind else {
            self.wrong_type(at, ty, node);
            return None;
        };
        // All elements are read before one that is wrong ends it, so that each is reported.
        let values: Vec<Option<Value>> =
            items.iter().enumerate().map(|(index, item)| self.value(&at.element(&format!("[{index}]")), inner, item)).collect();
        values.into_iter().collect::<Option<_>>().map(Value::List)
    }

    fn map(&mut self, at: &FieldAt<'a>, ty: &FieldType, inner: &'a FieldType, node: &Node) -> Option<Value> {
        let NodeKind::Map(entries) = &node.kind else {
            self.wrong_type(at, ty, node);
            return None;
        };
        let mut values: Vec<(&str, Option<Value>)> = entries
            .iter()
            .map(|(key, value)| (key.text.as_str(), self.value(&at.element(&format!(".{}", key.text)), inner, value)))
            .collect();
        values.sort_by_key(|(key, _)| *key);
        values.into_iter().map(|(key, value)| Some((key.to_owned(), value?))).collect::<Option<_>>().map(Value::Map)
    }

    fn named(&mut self, at: &FieldAt<'a>, ty: &FieldType, name: &str, node: &Node) -> Option<Value> {
        let (item, body) = self.declared(at, name)?;
        match (body, &node.kind) {
            (ConfigBody::Struct(fields), NodeKind::Map(_)) => {
                self.structure(item, fields, Some(node), &node.place, &at.path).map(Value::Struct)
            }
            (ConfigBody::Struct(_), _) => {
                self.wrong_type(at, ty, node);
                None
            }
            (ConfigBody::Enum(variants), _) => self.variant(at, ty, item, variants, node),
        }
    }

    fn variant(&mut self, at: &FieldAt<'a>, ty: &FieldType, item: &ItemId, variants: &[VariantSchema], node: &Node) -> Option<Value> {
        let Some(word) = scalar(node) else {
            self.wrong_type(at, ty, node);
            return None;
        };
        let found = variants.iter().find(|variant| variant.key == word);
        if found.is_none() {
            self.problems.report(rules::unknown_word(at, word, variants, &node.place));
        }
        found.map(|variant| Value::Variant(item.clone(), variant.ident.to_string()))
    }

    /// A nested config type: one of the same package, by its own name.
    pub(super) fn declared(&mut self, at: &FieldAt<'a>, name: &str) -> Option<(&'a ItemId, &'a ConfigBody)> {
        let found = self.schemas.named(at.package, name);
        if found.is_none() {
            self.problems.report(rules::undeclared_config_type(at, name, self.plugin));
        }
        found
    }

    fn secret(&mut self, at: &FieldAt<'_>, node: &Node) -> Option<Value> {
        let name = scalar(node).filter(|text| rules::is_variable_name(text));
        if name.is_none() && !matches!(node.kind, NodeKind::Refused) {
            self.problems.report(rules::secret_literal(at, &node.place));
        }
        name.map(|name| Value::SecretEnv(name.to_owned()))
    }

    fn expression(&mut self, at: &FieldAt<'a>, ty: &'a FieldType, node: &Node, text: &str) -> Option<Value> {
        if let Some(problem) = rules::expression_not_allowed(at, ty, &node.place, self.schemas) {
            self.problems.report(problem);
            return None;
        }
        let analysis = match self.expressions.analyse(text) {
            Ok(analysis) => analysis,
            Err(faults) => {
                faults.into_iter().for_each(|fault| self.problems.report(fault.diagnostic(&node.place, text)));
                return None;
            }
        };
        if analysis.is_string && !takes_string(ty, at.package, self.schemas) {
            self.problems.report(rules::string_expression(at, ty, &node.place, text, self.schemas));
            return None;
        }
        if analysis.reads_machine && !self.expressions.know_machine() {
            self.problems.extend(analysis.warnings(&node.place, text));
            return Some(Value::Expression { text: text.to_owned(), field: at.path.clone() });
        }
        match analysis.value.and_then(|value| self.folded(at, ty, &value, &node.place)) {
            Ok(value) => Some(value),
            Err(message) if analysis.reads_machine => {
                self.problems.report(machine_expression(&node.place, at, &message));
                None
            }
            Err(message) => {
                let problem = rules::constant_expression(&node.place, &format!("`{}`", at.path), &message);
                self.problems.report(problem.note_if(self.expressions.fixed_in(text)));
                None
            }
        }
    }
}

/// Joins a config path and a key: `models[0]` and `id` give `models[0].id`.
fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Whether a string can be a value of a type; for the words of an enum it can.
fn takes_string(ty: &FieldType, package: &str, schemas: &Schemas) -> bool {
    match ty {
        FieldType::Text | FieldType::Path | FieldType::SecretEnv => true,
        FieldType::Bool | FieldType::Int(_) | FieldType::Float | FieldType::List(_) | FieldType::Map(_) => false,
        FieldType::Option(inner) => takes_string(inner, package, schemas),
        FieldType::Named(name) => matches!(schemas.named(package, name), Some((_, ConfigBody::Enum(_))) | None),
    }
}

fn scalar(node: &Node) -> Option<&str> {
    match &node.kind {
        NodeKind::Plain(text) | NodeKind::Quoted(text) => Some(text),
        _ => None,
    }
}

fn plain(node: &Node) -> Option<&str> {
    if let NodeKind::Plain(text) = &node.kind { Some(text) } else { None }
}
