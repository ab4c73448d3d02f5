//! Values of fields that a composition does not give.

use super::Value;
use super::config::{ConfigReader, FieldAt};
use super::rules;
use crate::diagnostics::Place;
use crate::schema::{ConfigBody, Default, FieldType, Number};

impl<'a> ConfigReader<'a> {
    /// The value of a field that is not given. `None` when it must be, or has no usable default.
    pub(super) fn default_of(&mut self, at: &FieldAt<'a>, anchor: &Place) -> Option<Value> {
        match (&at.decl.default, &at.decl.ty) {
            (Some(default), ty) => self.default_value(at, ty, default, anchor),
            (None, FieldType::Option(_)) => Some(Value::Option(None)),
            (None, _) => {
                if self.demands {
                    self.problems.report(rules::missing_field(at, anchor, self.plugin.name));
                }
                None
            }
        }
    }

    fn default_value(&mut self, at: &FieldAt<'a>, ty: &FieldType, default: &Default, anchor: &Place) -> Option<Value> {
        let value = match (ty, default) {
            (FieldType::Option(inner), _) => Value::Option(Some(Box::new(self.default_value(at, inner, default, anchor)?))),
            (FieldType::Text, Default::Text(text)) => Value::Text(text.to_string()),
            (FieldType::Path, Default::Text(text)) => Value::Path(text.to_string()),
            (FieldType::SecretEnv, Default::Text(text)) => Value::SecretEnv(text.to_string()),
            (FieldType::Bool, Default::Bool(value)) => Value::Bool(*value),
            (FieldType::Int(_), Default::Number(Number::Int(value))) => Value::Int(*value),
            (FieldType::Float, Default::Number(number)) => Value::Float(real(*number)),
            (FieldType::List(inner), Default::List(items)) => {
                Value::List(items.iter().map(|item| self.default_value(at, inner, item, anchor)).collect::<Option<_>>()?)
            }
            (FieldType::Map(_), Default::Empty) => Value::Map(Vec::new()),
            (FieldType::Named(name), _) => {
                let (item, body) = self.declared(at, name)?;
                match (body, default) {
                    (ConfigBody::Struct(_), Default::Empty) if self.defaulting.contains(item) => {
                        self.problems.report(rules::endless_default(at, &item.name, self.plugin));
                        return None;
                    }
                    (ConfigBody::Struct(fields), Default::Empty) => {
                        self.defaulting.push(item.clone());
                        let value = self.structure(item, fields, None, anchor, &at.path);
                        self.defaulting.pop();
                        Value::Struct(value?)
                    }
                    (ConfigBody::Enum(variants), Default::Text(word)) => match variants.iter().find(|variant| variant.key == *word) {
                        Some(variant) => Value::Variant(item.clone(), variant.ident.to_string()),
                        None => return self.unusable_default(at),
                    },
                    _ => return self.unusable_default(at),
                }
            }
            _ => return self.unusable_default(at),
        };
        Some(value)
    }

    fn unusable_default(&mut self, at: &FieldAt<'a>) -> Option<Value> {
        self.problems.report(rules::unusable_default(at, self.plugin));
        None
    }
}

/// Integers beyond 2^53 lose digits, as they do in `f64` literals of Rust.
#[allow(clippy::cast_precision_loss)]
fn real(number: Number) -> f64 {
    match number {
        Number::Int(value) => value as f64,
        Number::Float(value) => value,
    }
}
