//! What a binary reads of its surroundings when it starts, and what it no longer reads.

use dsh_declare::model::ConfigBody;
use dsh_language::check::Expressions;

use super::all_rows;
use super::model::{Read, Surroundings};
use crate::check::{Checked, CheckedRow, StructValue, Value};
use crate::index::Index;

/// Of a checked composition.
pub(super) fn surroundings(checked: &Checked, index: &Index) -> Surroundings {
    let expressions = Expressions::new(&checked.profile, &checked.fixed);
    let mut reading = Reading { index, expressions, found: Surroundings::default() };
    for group in &checked.groups {
        let condition = group.disabled.as_ref().map(|disabled| &disabled.text);
        condition.into_iter().for_each(|text| reading.expression(&group.id, "disabled", text));
    }
    for row in all_rows(checked) {
        reading.row(row);
    }
    let mut found = reading.found;
    found.set = checked.fixed.names().map(|name| (name.to_owned(), checked.fixed.value(name).unwrap_or_default().to_owned())).collect();
    for reads in [&mut found.expressions, &mut found.secrets] {
        reads.sort();
    }
    found
}

struct Reading<'a> {
    index: &'a Index,
    expressions: Expressions,
    found: Surroundings,
}

impl Reading<'_> {
    fn row(&mut self, row: &CheckedRow) {
        if let Some(disabled) = &row.disabled {
            self.expression(&row.id, "disabled", &disabled.text);
        }
        if let Some(config) = &row.config {
            self.structure(&row.id, "", config);
        }
    }

    fn expression(&mut self, row: &str, field: &str, text: &str) {
        let reads = self.expressions.reads(text).into_iter().map(|name| Read { name, row: row.to_owned(), field: field.to_owned() });
        self.found.expressions.extend(reads);
    }

    fn structure(&mut self, row: &str, path: &str, value: &StructValue) {
        let Some(ConfigBody::Struct(fields)) = self.index.configs.get(&value.item).map(|declared| &declared.decl.body) else { return };
        for (field, (_, value)) in fields.iter().zip(&value.fields) {
            let path = if path.is_empty() { field.key.clone() } else { format!("{path}.{}", field.key) };
            self.value(row, &path, value);
        }
    }

    fn value(&mut self, row: &str, path: &str, value: &Value) {
        match value {
            Value::Expression { text, field } => self.expression(row, field, text),
            Value::SecretEnv(variable) => {
                self.found.secrets.push(Read { name: variable.clone(), row: row.to_owned(), field: path.to_owned() });
            }
            Value::Option(inner) => inner.iter().for_each(|inner| self.value(row, path, inner)),
            Value::List(items) => {
                items.iter().enumerate().for_each(|(at, item)| self.value(row, &format!("{path}[{at}]"), item));
            }
            Value::Map(entries) => entries.iter().for_each(|(key, item)| self.value(row, &format!("{path}.{key}"), item)),
            Value::Struct(inner) => self.structure(row, path, inner),
            Value::Text(_) | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Path(_) | Value::Variant(..) => {}
        }
    }
}
