//! Config types as schemas.

use dsh_declare::model::{ConfigBody, Default, FieldDecl, FieldType, IntType, Number, VariantDecl};
use serde_json::{Map, Value, json};

use super::{defined, expression};
use crate::index::{Index, ItemId};

/// One schema for each config struct. What must be given is not part of it: that depends on where the struct stands.
pub(super) fn definitions(index: &Index) -> Map<String, Value> {
    let structs = index.configs.values().filter_map(|declared| match &declared.decl.body {
        ConfigBody::Struct(fields) => Some((name(&declared.id), structure(index, &declared.id.package, &declared.decl.doc, fields))),
        ConfigBody::Enum(_) => None,
    });
    structs.collect()
}

/// The name of a config struct's definition.
pub(super) fn name(id: &ItemId) -> String {
    format!("{}.{}", id.package, id.name)
}

/// Whether a config type is a struct, and so has a definition.
pub(super) fn is_struct(index: &Index, id: &ItemId) -> bool {
    index.configs.get(id).is_some_and(|declared| matches!(declared.decl.body, ConfigBody::Struct(_)))
}

/// The keys of a config struct that have no default.
pub(super) fn required<'a>(index: &'a Index, id: &ItemId) -> Vec<&'a str> {
    match index.configs.get(id).map(|declared| &declared.decl.body) {
        Some(ConfigBody::Struct(fields)) => required_of(fields),
        Some(ConfigBody::Enum(_)) | None => Vec::new(),
    }
}

fn required_of(fields: &[FieldDecl]) -> Vec<&str> {
    let is_required = |field: &&FieldDecl| field.default.is_none() && !matches!(field.ty, FieldType::Option(_));
    fields.iter().filter(is_required).map(|field| field.key.as_str()).collect()
}

fn structure(index: &Index, package: &str, doc: &str, fields: &[FieldDecl]) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|decl| (decl.key.clone(), Field { index, package, decl }.schema())).collect();
    let mut schema = Map::new();
    if !doc.is_empty() {
        schema.insert("description".to_owned(), doc.into());
    }
    schema.insert("type".to_owned(), "object".into());
    schema.insert("additionalProperties".to_owned(), false.into());
    schema.insert("properties".to_owned(), properties.into());
    schema.into()
}

/// A field, and the package in which its type's name has a meaning.
struct Field<'a> {
    index: &'a Index,
    package: &'a str,
    decl: &'a FieldDecl,
}

impl Field<'_> {
    fn schema(&self) -> Value {
        let mut schema = Map::new();
        if !self.decl.doc.is_empty() {
            schema.insert("description".to_owned(), self.decl.doc.clone().into());
        }
        if let Some(default) = &self.decl.default {
            schema.insert("default".to_owned(), default_value(default));
        }
        let mut values = self.values(&self.decl.ty);
        if let (true, Some(Value::Object(first))) = (self.decl.bounds.non_empty, values.first_mut()) {
            first.insert(size(&self.decl.ty).to_owned(), 1.into());
        }
        if let Value::Object(any) = any_of(values) {
            schema.extend(any);
        }
        schema.into()
    }

    /// The ways to write a value of a type. What bounds speak of is the first.
    fn values(&self, ty: &FieldType) -> Vec<Value> {
        match ty {
            FieldType::Text if !self.decl.bounds.one_of.is_empty() => {
                vec![words(self.decl.bounds.one_of.iter().map(|word| (&**word, ""))), defined(expression::WORD)]
            }
            FieldType::Text if self.decl.bounds.non_blank => vec![json!({ "type": SCALAR, "pattern": r"\S" })],
            FieldType::Text | FieldType::Path => vec![json!({ "type": SCALAR })],
            FieldType::Bool => vec![json!({ "type": "boolean" }), defined(expression::VALUE)],
            FieldType::Int(int) => vec![self.number("integer", Some(*int)), defined(expression::VALUE)],
            FieldType::Float => vec![self.number("number", None), defined(expression::VALUE)],
            FieldType::SecretEnv => vec![json!({ "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" })],
            FieldType::Option(inner) => {
                let mut values = self.values(inner);
                values.push(json!({ "type": "null" }));
                values
            }
            FieldType::List(inner) => self.holding(inner, |inner| json!({ "type": "array", "items": inner })),
            FieldType::Map(inner) => self.holding(inner, |inner| json!({ "type": "object", "additionalProperties": inner })),
            FieldType::Named(path) => match self.index.config(self.package, path) {
                Some(declared) => match &declared.decl.body {
                    ConfigBody::Struct(fields) => vec![nested(&declared.id, fields)],
                    ConfigBody::Enum(variants) => vec![variant_words(variants), defined(expression::WORD)],
                },
                // The plugin does not compile; `check` says so.
                None => vec![json!({})],
            },
        }
    }

    /// A list or a mapping of values, or an expression where each value could be one.
    fn holding(&self, inner: &FieldType, of: impl FnOnce(Value) -> Value) -> Vec<Value> {
        let mut values = vec![of(any_of(self.values(inner)))];
        if self.takes_expression(inner) {
            values.push(defined(expression::VALUE));
        }
        values
    }

    fn takes_expression(&self, ty: &FieldType) -> bool {
        match ty {
            FieldType::SecretEnv => false,
            FieldType::Option(inner) | FieldType::List(inner) | FieldType::Map(inner) => self.takes_expression(inner),
            FieldType::Named(path) => !matches!(self.index.config_body(self.package, path), Some(ConfigBody::Struct(_))),
            FieldType::Text | FieldType::Bool | FieldType::Int(_) | FieldType::Float | FieldType::Path => true,
        }
    }

    fn number(&self, ty: &str, int: Option<IntType>) -> Value {
        let range = int.map(IntType::range);
        let low = self.decl.bounds.min.or(range.map(|(low, _)| Number::Int(low)));
        let high = self.decl.bounds.max.or(range.map(|(_, high)| Number::Int(high)));
        let mut schema = Map::from_iter([("type".to_owned(), ty.into())]);
        schema.extend(low.map(|low| ("minimum".to_owned(), number(low))));
        schema.extend(high.map(|high| ("maximum".to_owned(), number(high))));
        schema.into()
    }
}

/// The keyword for the least size of a value of a type that has a size.
fn size(ty: &FieldType) -> &'static str {
    match ty {
        FieldType::Option(inner) => size(inner),
        FieldType::List(_) => "minItems",
        FieldType::Map(_) => "minProperties",
        _ => "minLength",
    }
}

/// A scalar without quotes can be a string whatever it looks like: the field's type decides.
const SCALAR: [&str; 3] = ["string", "number", "boolean"];

fn nested(id: &ItemId, fields: &[FieldDecl]) -> Value {
    let required = required_of(fields);
    if required.is_empty() { defined(&name(id)) } else { json!({ "allOf": [defined(&name(id))], "required": required }) }
}

fn variant_words(variants: &[VariantDecl]) -> Value {
    words(variants.iter().map(|variant| (variant.key.as_str(), variant.doc.as_str())))
}

/// A few words with what they mean. One that YAML reads as a number or a truth value without quotes is allowed as such too.
fn words<'a>(words: impl Iterator<Item = (&'a str, &'a str)>) -> Value {
    let (mut values, mut docs) = (Vec::new(), Vec::new());
    for (word, doc) in words {
        let plain = serde_json::from_str::<Value>(word).ok().filter(|value| value.is_number() || value.is_boolean());
        for value in [Some(Value::from(word)), plain].into_iter().flatten() {
            values.push(value);
            docs.push(doc);
        }
    }
    match docs.iter().all(|doc| doc.is_empty()) {
        true => json!({ "enum": values }),
        // No keyword of the standard: editors show it, validators pass over it.
        false => json!({ "enum": values, "enumDescriptions": docs }),
    }
}

/// Any of several ways to write a value.
fn any_of(mut values: Vec<Value>) -> Value {
    if values.len() == 1 { values.remove(0) } else { json!({ "anyOf": values }) }
}

fn default_value(default: &Default) -> Value {
    match default {
        Default::Bool(value) => (*value).into(),
        Default::Number(value) => number(*value),
        Default::Text(text) => text.clone().into(),
        Default::List(items) => items.iter().map(default_value).collect(),
        Default::Empty => json!({}),
    }
}

/// Whole numbers beyond 64 bits, which no field holds, would lose digits.
#[allow(clippy::cast_precision_loss)]
fn number(number: Number) -> Value {
    match number {
        Number::Int(value) => match (i64::try_from(value), u64::try_from(value)) {
            (Ok(value), _) => value.into(),
            (_, Ok(value)) => value.into(),
            _ => (value as f64).into(),
        },
        Number::Float(value) => value.into(),
    }
}
