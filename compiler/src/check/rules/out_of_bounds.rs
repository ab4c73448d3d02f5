//! A number that its field does not take.

use dsh_declare::model::Number;

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule};

/// `DSH0206`
pub static RULE: Rule = Rule::error(
    "DSH0206",
    "a number is out of its field's bounds",
    "A field declares the least and the greatest number that make sense (`min`, `max`); where it declares none, its type limits it.",
);

/// `bounds` are inclusive; `ty` is the integer type when that may be what limits the number.
pub fn out_of_bounds(at: &FieldAt<'_>, place: &Place, value: &str, bounds: (Number, Number), ty: Option<&str>) -> Diagnostic {
    let (low, high) = bounds;
    let is_declared = at.decl.min.is_some() || at.decl.max.is_some();
    let label = match (at.decl.min, at.decl.max, ty) {
        (Some(_), None, None) => format!("must be at least {}", text(low)),
        (None, Some(_), None) => format!("must be at most {}", text(high)),
        _ => format!("must be between {} and {}", text(low), text(high)),
    };
    let found = Diagnostic::new(&RULE, format!("`{}` cannot be {value}", at.path)).at(place, label);
    let found = match ty.filter(|_| !is_declared) {
        Some(ty) => found.note(format!("the field's type is `{ty}`")),
        None => found,
    };
    found.note_if(at.doc())
}

fn text(number: Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Float(value) => value.to_string(),
    }
}
