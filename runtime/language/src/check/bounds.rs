//! The bounds that a field declares. `min`, `max`, `one_of` and `non_blank` speak of the values inside lists and maps, `non_empty` of
//! the field's value as a whole.

use super::config::FieldAt;
use super::{Value, rules};
use crate::diagnostics::{Diagnostics, Place};
use crate::schema::{FieldType, IntType, Number};

/// Checks a value that holds no other.
pub fn check_leaf(at: &FieldAt<'_>, ty: &FieldType, value: &Value, place: &Place, problems: &mut Diagnostics) {
    match (value, ty) {
        (Value::Int(number), FieldType::Int(int)) => check_number(at, Number::Int(*number), Some(*int), place, problems),
        (Value::Float(number), _) => check_number(at, Number::Float(*number), None, place, problems),
        (Value::Text(text), _) => {
            if !at.decl.bounds.one_of.is_empty() && !at.decl.bounds.one_of.iter().any(|word| word == text) {
                problems.report(rules::not_one_of(at, place, text));
            }
            if at.decl.bounds.non_blank && text.trim().is_empty() {
                problems.report(rules::blank_value(at, place));
            }
        }
        _ => {}
    }
}

/// An integer keeps the range of its type where the field declares none.
fn check_number(at: &FieldAt<'_>, number: Number, int: Option<IntType>, place: &Place, problems: &mut Diagnostics) {
    let (low, high) = match int {
        Some(int) => (Number::Int(int.range().0), Number::Int(int.range().1)),
        None => (Number::Float(f64::MIN), Number::Float(f64::MAX)),
    };
    let (low, high) = (at.decl.bounds.min.unwrap_or(low), at.decl.bounds.max.unwrap_or(high));
    if number.is_below(low) || high.is_below(number) {
        problems.report(rules::out_of_bounds(at, place, number, (low, high), int));
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
    if at.decl.bounds.non_empty && is_empty {
        problems.report(rules::empty_value(at, place));
    }
}
