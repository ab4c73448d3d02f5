//! The bounds that a field declares. `min`, `max`, `one_of` and `non_blank` speak of the values inside lists and maps, `non_empty` of
//! the field's value as a whole.

use dsh_declare::model::{FieldType, Number};

use super::config::FieldAt;
use super::{Value, integer, rules};
use crate::diagnostics::{Diagnostics, Place};

/// Checks a value that holds no other.
pub fn check_leaf(at: &FieldAt<'_>, ty: &FieldType, value: &Value, place: &Place, problems: &mut Diagnostics) {
    match (value, ty) {
        (Value::Int(number), FieldType::Int(int)) => {
            let (name, low, high) = integer::limits(*int);
            let low = at.decl.min.unwrap_or(Number::Int(low));
            let high = at.decl.max.unwrap_or(Number::Int(high));
            if is_below(Number::Int(*number), low) || is_below(high, Number::Int(*number)) {
                problems.report(rules::out_of_bounds(at, place, &number.to_string(), (low, high), Some(name)));
            }
        }
        (Value::Float(number), _) => {
            let low = at.decl.min.unwrap_or(Number::Float(f64::MIN));
            let high = at.decl.max.unwrap_or(Number::Float(f64::MAX));
            if is_below(Number::Float(*number), low) || is_below(high, Number::Float(*number)) {
                problems.report(rules::out_of_bounds(at, place, &number.to_string(), (low, high), None));
            }
        }
        (Value::Text(text), _) => {
            if !at.decl.one_of.is_empty() && !at.decl.one_of.contains(text) {
                problems.report(rules::not_one_of(at, place, text));
            }
            if at.decl.non_blank && text.trim().is_empty() {
                problems.report(rules::blank_value(at, place));
            }
        }
        _ => {}
    }
}

/// Checks the value of a field as a whole.
pub fn check_whole(at: &FieldAt<'_>, value: &Value, place: &Place, problems: &mut Diagnostics) {
    let is_empty = match value {
        Value::Option(Some(inner)) => return check_whole(at, inner, place, problems),
        Value::Text(text) | Value::Path(text) => text.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        _ => false,
    };
    if at.decl.non_empty && is_empty {
        problems.report(rules::empty_value(at, place));
    }
}

/// Integers are compared exactly; a fraction is compared as `f64`.
#[allow(clippy::cast_precision_loss)]
fn is_below(left: Number, right: Number) -> bool {
    match (left, right) {
        (Number::Int(left), Number::Int(right)) => left < right,
        (Number::Int(left), Number::Float(right)) => (left as f64) < right,
        (Number::Float(left), Number::Int(right)) => left < right as f64,
        (Number::Float(left), Number::Float(right)) => left < right,
    }
}
