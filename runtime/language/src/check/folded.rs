//! Results of constant expressions as values of fields, by the rules that the runtime applies to the others.

use dsh_expression::Refused;
use minijinja::Value as Folded;
use minijinja::value::ValueKind;

use super::config::{ConfigReader, FieldAt};
use super::{Value, bounds};
use crate::diagnostics::Place;
use crate::schema::{ConfigBody, FieldType};

/// A result as `true` or `false`.
///
/// # Errors
/// It is something else.
pub fn boolean(value: &Folded) -> Result<bool, String> {
    typed_boolean(value, Refused::Shown)
}

fn typed_boolean(value: &Folded, refused: Refused) -> Result<bool, String> {
    if value.kind() == ValueKind::Bool { Ok(value.is_true()) } else { Err(mismatch(value, "`true` or `false`", refused)) }
}

impl<'a> ConfigReader<'a> {
    /// A result as a value of a field's type. A string is never taken for another type.
    pub(super) fn folded(&mut self, at: &FieldAt<'a>, ty: &'a FieldType, value: &Folded, place: &Place) -> Result<Value, String> {
        let refused = self.expressions.refused();
        let text = |expected: &str| value.as_str().map(str::to_owned).ok_or_else(|| mismatch(value, expected, refused));
        let typed = match ty {
            FieldType::Option(_) if value.is_undefined() || value.is_none() => return Ok(Value::Option(None)),
            FieldType::Option(inner) => return Ok(Value::Option(Some(Box::new(self.folded(at, inner, value, place)?)))),
            FieldType::List(inner) => {
                if value.kind() != ValueKind::Seq {
                    return Err(mismatch(value, "a list", refused));
                }
                let items = value.try_iter().map_err(|error| error.to_string())?;
                return items.map(|item| self.folded(at, inner, &item, place)).collect::<Result<_, _>>().map(Value::List);
            }
            FieldType::Map(inner) => return self.folded_map(at, inner, value, place),
            FieldType::Named(name) => return self.folded_word(at, name, value),
            FieldType::Text => Value::Text(text("a string")?),
            FieldType::Path => Value::Path(text("a path")?),
            FieldType::Bool => Value::Bool(typed_boolean(value, refused)?),
            FieldType::Int(_) => Value::Int(integer(value, refused)?),
            FieldType::Float => Value::Float(number(value, refused)?),
            // Refused before anything is folded.
            FieldType::SecretEnv => return Err("an expression cannot give such a value".to_owned()),
        };
        bounds::check_leaf(at, ty, &typed, place, self.problems);
        Ok(typed)
    }

    fn folded_map(&mut self, at: &FieldAt<'a>, inner: &'a FieldType, value: &Folded, place: &Place) -> Result<Value, String> {
        let refused = self.expressions.refused();
        if value.kind() != ValueKind::Map {
            return Err(mismatch(value, "a mapping", refused));
        }
        let mut entries = Vec::new();
        for key in value.try_iter().map_err(|error| error.to_string())? {
            let name = key.as_str().ok_or_else(|| mismatch(&key, "a string as key", refused))?.to_owned();
            let item = value.get_item(&key).map_err(|error| error.to_string())?;
            entries.push((name, self.folded(at, inner, &item, place)?));
        }
        entries.sort_by(|(left, _), (right, _)| left.cmp(right));
        Ok(Value::Map(entries))
    }

    fn folded_word(&mut self, at: &FieldAt<'a>, name: &str, value: &Folded) -> Result<Value, String> {
        let Some((item, ConfigBody::Enum(variants))) = self.declared(at, name) else {
            return Err("an expression cannot give a mapping".to_owned());
        };
        let words = crate::diagnostics::quoted(variants.iter().map(|variant| &*variant.key));
        let found = value.as_str().and_then(|word| variants.iter().find(|variant| variant.key == word));
        found
            .map(|variant| Value::Variant(item.clone(), variant.ident.to_string()))
            .ok_or_else(|| mismatch(value, &format!("one of {words}"), self.expressions.refused()))
    }
}

fn integer(value: &Folded, refused: Refused) -> Result<i128, String> {
    const EXPECTED: &str = "a whole number";
    if value.kind() != ValueKind::Number || !value.is_integer() {
        return Err(mismatch(value, EXPECTED, refused));
    }
    i128::try_from(value.clone()).map_err(|_| mismatch(value, EXPECTED, refused))
}

fn number(value: &Folded, refused: Refused) -> Result<f64, String> {
    const EXPECTED: &str = "a finite number";
    if value.kind() != ValueKind::Number {
        return Err(mismatch(value, EXPECTED, refused));
    }
    f64::try_from(value.clone()).ok().filter(|number| number.is_finite()).ok_or_else(|| mismatch(value, EXPECTED, refused))
}

fn mismatch(value: &Folded, expected: &str, refused: Refused) -> String {
    match value.kind() {
        ValueKind::Undefined => format!("it gives no value, expected {expected}"),
        ValueKind::None => format!("it gives `none`, expected {expected}"),
        ValueKind::String if refused == Refused::Hidden => format!("it gives a string, which is not shown, expected {expected}"),
        ValueKind::String => format!("it gives the string `{value}`, expected {expected}"),
        ValueKind::Seq | ValueKind::Iterable => format!("it gives a list, expected {expected}"),
        ValueKind::Map => format!("it gives a mapping, expected {expected}"),
        _ => format!("it gives `{value}`, expected {expected}"),
    }
}
